// Certificates, by the level that they are about. They are too large for the browser's store of
// texts, so they have one of their own; where a browser keeps none, they last as long as the page.

import { signal } from "@preact/signals";

type Archive = Uint8Array<ArrayBuffer>;

const DATABASE = "unstuck";
const STORE = "certificates";
/** How many are kept: those that were made last. */
const MOST = 20;

/** The time that one was made at, so that the oldest come first, and its name. */
type Key = [time: number, name: string];

/** Those that can be had. */
export const available = signal<ReadonlySet<string>>(new Set());

const unkept = new Map<string, Archive>();

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
}

/** Does something with what the browser keeps, as a whole or not at all. */
async function within<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => Promise<T>): Promise<T> {
  const database = await open();
  try {
    const transaction = database.transaction(STORE, mode);
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const [result] = await Promise.all([work(transaction.objectStore(STORE)), done]);
    return result;
  } finally {
    database.close();
  }
}

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

const keysOf = (store: IDBObjectStore) => answered(store.getAllKeys() as unknown as IDBRequest<Key[]>);

/** Keeps the certificate of a level in place of an earlier one. */
export async function put(name: string, archive: Archive) {
  unkept.set(name, archive);
  available.value = new Set([...available.value, name]);
  const store = async (store: IDBObjectStore) => {
    const [others, earlier] = [[], []] as [Key[], Key[]];
    for (const key of await keysOf(store)) (key[1] === name ? earlier : others).push(key);
    const old = [...earlier, ...others.slice(0, Math.max(0, others.length + 1 - MOST))];
    await Promise.all(old.map((key) => answered(store.delete(key))));
    await answered(store.put(archive, [Date.now(), name] satisfies Key));
  };
  const isKept = await within("readwrite", store).then(
    () => true,
    () => false,
  );
  if (isKept) unkept.delete(name);
}

/** The certificate of a level, if it was made and is still there. */
export async function get(name: string): Promise<Archive | null> {
  const mine = unkept.get(name);
  if (mine) return mine;
  const found = await within("readonly", async (store) => {
    const key = (await keysOf(store)).find(([, other]) => other === name);
    return key ? answered(store.get(key) as IDBRequest<Archive>) : null;
  }).catch(() => null);
  if (found === null) available.value = new Set([...available.value].filter((other) => other !== name));
  return found;
}

/** Looks up what earlier visits have left. */
export async function restore() {
  const names = await within("readonly", async (store) =>
    (await keysOf(store)).map(([, name]) => name),
  ).catch(() => []);
  available.value = new Set([...available.value, ...names]);
}
