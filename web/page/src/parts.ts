// Parts of the page that most visits do without: each is a file that is fetched when it is wanted.

type Parts = {
  readonly editor: typeof import("./design/editor");
  readonly gif: typeof import("./keep/gif");
  readonly zip: typeof import("./engine/zip");
};

/** Fetches a part, in the page or in a worker. */
export function part<Name extends keyof Parts>(name: Name): Promise<Parts[Name]> {
  const base = typeof document === "undefined" ? location.href : document.baseURI;
  return import(new URL(`${name}.js`, base).href) as Promise<Parts[Name]>;
}
