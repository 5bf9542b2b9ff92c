import { deflateRawSync } from 'node:zlib';

type Files = Readonly<Record<string, Uint8Array>>;

/** A zip archive of files. `again` adds entries; `lies` change what an entry says of itself. */
export function zipOf(
  files: Files,
  { again = [], lies = {} }: { again?: readonly [string, Uint8Array][]; lies?: { size?: number } } = {},
): Uint8Array {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  const entries = [...Object.entries(files), ...again];
  for (const [path, content] of entries) {
    const name = Buffer.from(path);
    const packed = deflateRawSync(content);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(0x0800, 2);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(lies.size ?? content.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([signature(0x04034b50), facts, name, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([signature(0x02014b50), Buffer.from([20, 0]), facts, tail, name]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, signature(0x06054b50), end]);
}

function signature(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
}
