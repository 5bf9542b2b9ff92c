import type { KeepView } from '../../src/host/file-ledger-store.ts';
import type { ReadFile } from '../../src/host/line-files.ts';

/** Keeps a view after every reading that has taken a line, as long as the file begins with the same bytes. */
export function memoryViews(): KeepView {
  const views = new Map<
    string,
    { readonly made: Buffer; readonly position: string; readonly bytes: Buffer }
  >();
  return async (file, path, view) => {
    const name = `${path} ${view}`;
    return {
      worthLines: 1,
      watched: (pieces) => pieces,
      load: async () => {
        const kept = views.get(name);
        if (kept === undefined || !(await bytesOf(file)).subarray(0, kept.made.length).equals(kept.made))
          return null;
        const at = (from: number, length: number) => kept.bytes.subarray(from, from + length);
        return { position: kept.position, bytes: { length: kept.bytes.length, at } };
      },
      save: async (position, pieces) => {
        const bytes = Buffer.concat([...pieces].map((piece) => Buffer.from(piece)));
        views.set(name, { made: await bytesOf(file), position, bytes });
      },
    };
  };
}

async function bytesOf(file: ReadFile): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of file.bytesFrom(0)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}
