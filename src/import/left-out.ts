import { compareText } from '../domain/diagnostic.ts';
import { compareIds } from '../domain/ids.ts';
import type { Kind, Observed } from '../domain/resource.ts';

/** Codes for live objects that are not imported. */
export const LEFT_OUT_CODES = [
  'nameless',
  'archived',
  'recalled',
  'ended',
  'left',
  'too-late',
  'unknown-status',
  'unreadable',
  'name-collision',
  'superseded',
  'hidden-range',
  'not-expressible',
  'renamed',
  'not-quiet',
  'kept-as-written',
  'unfinished',
] as const;
export type LeftOutCode = (typeof LEFT_OUT_CODES)[number];

/** A live object that stays unmanaged. `reason` is a sentence for people. */
export interface LeftOut {
  readonly account: string;
  readonly kind: Kind;
  /** Null if it has none. */
  readonly name: string | null;
  readonly live_id: string;
  readonly code: LeftOutCode;
  readonly reason: string;
}

export function leaveOut({ account, kind, live }: Observed, code: LeftOutCode, reason: string): LeftOut {
  return { account, kind, name: live.name ?? null, live_id: live.id, code, reason };
}

/** Compares by account, kind, name and id. */
export function compareLeftOut(left: LeftOut, right: LeftOut): number {
  return (
    compareText(left.account, right.account) ||
    compareText(left.kind, right.kind) ||
    compareText(left.name ?? '', right.name ?? '') ||
    compareIds(left.live_id, right.live_id)
  );
}
