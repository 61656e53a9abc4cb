// Serves the built page on this machine: `node serve.mjs [PORT]`. It listens to nobody else.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";

export const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".png": "image/png",
};

export const DIST = path.join(import.meta.dirname, "dist");

/**
 * Serves a folder, on a free port unless one is given. Files in `replaced`, by their names, are sent
 * with that content when it comes, or not at all.
 */
export async function serve({ folder = DIST, port = 0, replaced = new Map() } = {}) {
  const server = createServer(async (request, response) => {
    try {
      const { pathname } = new URL(request.url, "http://localhost");
      const file = path.join(
        folder,
        path.normalize(decodeURIComponent(pathname).replace(/\/$/, "/index.html")),
      );
      if (!file.startsWith(folder + path.sep)) throw new Error("outside");
      const content = await (replaced.get(path.basename(file)) ?? readFile(file));
      const type = TYPES[path.extname(file)] ?? "application/octet-stream";
      response.writeHead(200, { "content-type": type, "cache-control": "no-cache" });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((listening, failed) => server.once("error", failed).listen(port, "127.0.0.1", listening));
  const address = `http://127.0.0.1:${server.address().port}/`;
  return { address, replaced, close: () => server.close() };
}

if (process.argv[1] === import.meta.filename) {
  const port = Number(process.argv[2] ?? 8000);
  const fail = (error) => {
    console.error(error.code === "EADDRINUSE" ? `port ${port} is taken: web/serve PORT` : error.message);
    process.exit(1);
  };
  const { address } = await serve({ port }).catch(fail);
  console.log(`the page is at ${address} until Ctrl-C`);
}
