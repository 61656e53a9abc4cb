// The archive of a certificate.

export { zipSync } from "fflate";
