// What a film is made with.

export { applyPalette, GIFEncoder, quantize } from "gifenc";
