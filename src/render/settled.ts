import type { Change, Plan } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';

/** Resources that no change is planned for: how many are as declared, and what is to be said of the others. */
export interface Settled {
  readonly matching: number;
  /** Their time is over, or will be before anything could be done: nobody compares them any more. */
  readonly done: number;
  /** `1 too late to replace`; empty when there are none. */
  readonly others: readonly string[];
  /** Something is not as declared, or nobody can tell, although nothing is planned about it. */
  readonly differs: boolean;
}

interface Remark {
  readonly words: string;
  /** Whether "no drift" would be too much to say beside it. */
  readonly differs: boolean;
}

/** What a finding about a resource says of it, in the order in which it is told. */
const REMARKS: ReadonlyMap<string, Remark> = new Map([
  ['too-late', { words: 'too late to replace', differs: true }],
  ['never-left', { words: 'paused until its hour had passed', differs: true }],
  ['going-out', { words: 'going out although declared paused', differs: true }],
  ['differs-again', { words: 'different again after a replace', differs: true }],
  ['unreadable', { words: 'not readable', differs: true }],
  ['unverifiable', { words: 'not wholly comparable', differs: false }],
]);

const STOPPED: Remark = { words: 'stopped with another content', differs: true };

/** What can be said of everything that is kept or done, without claiming more than was seen. */
export function settledIn({ changes, diagnostics }: Plan): Settled {
  const codes = new Map<string, Set<string>>();
  for (const { code, address = '' } of diagnostics)
    if (REMARKS.has(code)) codes.set(address, (codes.get(address) ?? new Set()).add(code));
  let matching = 0;
  let done = 0;
  const counts = new Map<Remark, number>();
  for (const change of changes) {
    if (change.action !== 'keep' && change.action !== 'done') continue;
    const remark = remarkOn(change, codes.get(formatAddress(change.address)));
    if (remark !== null) counts.set(remark, (counts.get(remark) ?? 0) + 1);
    else if (change.action === 'keep') matching += 1;
    else done += 1;
  }
  const told = [...REMARKS.values(), STOPPED].filter((remark) => counts.has(remark));
  return {
    matching,
    done,
    others: told.map((remark) => `${counts.get(remark) ?? 0} ${remark.words}`),
    differs: told.some(({ differs }) => differs),
  };
}

function remarkOn({ action, fields }: Change, codes: ReadonlySet<string> | undefined): Remark | null {
  const found = [...REMARKS].find(([code]) => codes?.has(code) === true);
  if (found !== undefined) return found[1];
  return action === 'keep' && fields.length > 0 ? STOPPED : null;
}
