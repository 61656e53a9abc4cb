// Files that the page hands to the person.

export function save(name: string, content: BlobPart, type: string) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers begin the download only after this turn.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A name for files, from a title. */
export const fileName = (title: string | null) =>
  (title ?? "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60) || "level";

/** Whether the device is held in the hand: there people share by its own menu, and have no right button. */
export const isHandheld = () => matchMedia("(pointer: coarse)").matches;

/** Offers something to the apps of a device, where it has a menu for that; else false. */
export async function offer(what: ShareData): Promise<boolean> {
  if (!isHandheld() || !navigator.canShare?.(what)) return false;
  return navigator.share(what).then(
    () => true,
    // Who closes the menu wants nothing else instead.
    (error: unknown) => error instanceof DOMException && error.name === "AbortError",
  );
}

/** Hands out a file to be shared. */
export async function handOver(name: string, blob: Blob) {
  const file = new File([blob], name, { type: blob.type });
  if (!(await offer({ files: [file] }))) save(name, blob, blob.type);
}

/** Draws a picture in so many pixels. */
export async function drawn(svg: string, width: number, height: number): Promise<HTMLCanvasElement> {
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  canvas.getContext("2d")?.drawImage(image, 0, 0, width, height);
  return canvas;
}

/** Width of the pictures that are saved, in pixels. */
const WIDTH = 1200;

/** Saves a picture as PNG, drawn by the browser. */
export async function savePng(name: string, svg: string) {
  const box = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement.getAttribute("viewBox");
  const [, , width = 1, height = 1] = (box ?? "0 0 1 1").split(/\s+/).map(Number);
  const canvas = await drawn(svg, WIDTH, Math.round((WIDTH * height) / width));
  canvas.toBlob((blob) => blob && save(name, blob, "image/png"));
}
