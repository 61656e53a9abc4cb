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

/** Width of the pictures that are saved, in pixels. */
const WIDTH = 1200;

/** Saves a picture as PNG, drawn by the browser. */
export async function savePng(name: string, svg: string) {
  const box = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement.getAttribute("viewBox");
  const [, , width = 1, height = 1] = (box ?? "0 0 1 1").split(/\s+/).map(Number);
  const image = new Image(WIDTH, (WIDTH * height) / width);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = Math.round((WIDTH * height) / width);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => blob && save(name, blob, "image/png"));
}
