// The part of gifenc that the page uses: the package has no types of its own.

declare module "gifenc" {
  /** Red, green and blue. */
  type Palette = readonly (readonly [number, number, number])[];

  export function quantize(pixels: Uint8ClampedArray, most: number): Palette;
  export function applyPalette(pixels: Uint8ClampedArray, palette: Palette): Uint8Array;
  export function GIFEncoder(): {
    /** `delay` is in milliseconds. */
    writeFrame(
      indices: Uint8Array,
      width: number,
      height: number,
      options: { palette: Palette; delay: number },
    ): void;
    finish(): void;
    bytes(): Uint8Array;
  };
}
