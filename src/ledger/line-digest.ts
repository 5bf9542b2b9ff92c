import { createHash } from 'node:crypto';
import type { LinePages } from '../domain/ledger-transfer.ts';
import { textKey } from '../domain/text-key.ts';

/** How many different lines there are, and a digest of them that is the same in any order. */
export interface LineDigest {
  readonly lines: number;
  /** `sha256:` and 64 hex characters. */
  readonly digest: string;
}

/** Two places can keep the same lines in another order, and a merge may have repeated some. */
export async function digestLines(
  pages: LinePages,
  isAsked: (key: string) => boolean = () => true,
): Promise<LineDigest & { readonly keys: ReadonlySet<string> }> {
  const keys = new Set<string>();
  const sum = Buffer.alloc(32);
  for await (const page of pages)
    for (const line of page) {
      const key = textKey(line);
      if (keys.has(key) || !isAsked(key)) continue;
      keys.add(key);
      const hash = createHash('sha256').update(line).digest();
      for (const [index, byte] of hash.entries()) sum[index] = (sum[index] ?? 0) ^ byte;
    }
  return { lines: keys.size, digest: `sha256:${sum.toString('hex')}`, keys };
}
