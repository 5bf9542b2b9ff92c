import { type Change, type Plan, unconfirmedRequests } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';
import { count } from './wording.ts';

/** Resources without a planned change: the number of unchanged ones, and remarks about the others. */
export interface WithoutChange {
  readonly matching: number;
  /** Their time is over, or too close. They are not compared. */
  readonly done: number;
  /** `1 too late to replace`; empty when there are none. */
  readonly others: readonly string[];
  /** True if something differs from the files, or cannot be compared, without a planned change. */
  readonly differs: boolean;
}

interface Remark {
  readonly words: string;
  /** True if "no drift" would be wrong. */
  readonly differs: boolean;
}

/** Remarks for findings about a resource, in order. */
const REMARKS: ReadonlyMap<string, Remark> = new Map([
  ['too-late', { words: 'too late to replace', differs: true }],
  ['never-left', { words: 'paused until its time had passed', differs: true }],
  ['going-out', { words: 'being sent although declared paused', differs: true }],
  ['going-out-twice', { words: 'being sent twice', differs: true }],
  ['differs-again', { words: 'different again after a replace', differs: true }],
  ['unreadable', { words: 'not readable', differs: true }],
  ['unverifiable', { words: 'only partly comparable', differs: false }],
]);

const STOPPED: Remark = { words: 'stopped with other content', differs: true };

/** Counts resources that are unchanged or finished, and collects remarks. */
export function withoutChange({ changes, diagnostics }: Plan): WithoutChange {
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
  const messages = blockedMessages({ diagnostics });
  const requests = unconfirmedRequests({ diagnostics });
  const told = [...REMARKS.values(), STOPPED].filter((remark) => counts.has(remark));
  return {
    matching,
    done,
    others: [
      ...told.map((remark) => `${counts.get(remark) ?? 0} ${remark.words}`),
      ...(messages === 0 ? [] : [blockedMessageWords(messages)]),
      ...(requests === 0 ? [] : [`${count(requests, 'request')} still unconfirmed`]),
    ],
    // What an unconfirmed request did may not show yet.
    differs: messages > 0 || requests > 0 || told.some(({ differs }) => differs),
  };
}

/** Messages of Herald that the guard blocked after the service had accepted them, or may have blocked. */
export function blockedMessages({ diagnostics }: Pick<Plan, 'diagnostics'>): number {
  return diagnostics.filter(({ code, severity }) => code === 'message-blocked' && severity === 'warning')
    .length;
}

/** `2 messages stopped by the guard` */
export function blockedMessageWords(messages: number): string {
  return `${count(messages, 'message')} stopped by the guard`;
}

function remarkOn({ action, fields }: Change, codes: ReadonlySet<string> | undefined): Remark | null {
  const found = [...REMARKS].find(([code]) => codes?.has(code) === true);
  if (found !== undefined) return found[1];
  return action === 'keep' && fields.length > 0 ? STOPPED : null;
}
