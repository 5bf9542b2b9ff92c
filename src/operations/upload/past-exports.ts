import * as z from 'zod';
import { actsOf, type Act } from '../../ledger/acts.ts';
import { instantText } from '../../ledger/instant-text.ts';
import type { LedgerLine } from '../../ledger/lines.ts';
import type { KeepEntry } from '../../ledger/reduction.ts';
import { differenceOf, purposeOf, purposeShape, type ExportWishes, type Purpose } from './wishes.ts';
import type { AccountId } from '../../domain/ids.ts';

/** Tells exports by the lines that begin them. */
export const isExport: KeepEntry = (begin) => begin.type === 'act' && begin.operation === EXPORT;

const EXPORT = 'vault.upload-export';

/** What the ledger keeps of an export: enough to find its record again, and nothing secret. */
export interface ExportDetails {
  readonly key: string;
  readonly name: string;
  readonly size: number;
  /** Missing if it was not recorded. */
  readonly purpose?: Purpose | undefined;
  /** Digest of what the file wished, if it was declared with wishes. */
  readonly wishes?: string | undefined;
}

/** An export on record that may have brought its bytes into the vault. */
export interface PastExport {
  readonly act: Act;
  readonly details: ExportDetails;
}

const detailsShape = z.looseObject({
  key: z.string(),
  name: z.string(),
  size: z.number(),
  purpose: purposeShape.optional(),
  wishes: z.string().optional(),
});

/**
 * The account's exports that were accepted or are unconfirmed, the latest first. One with an unreadable purpose is
 * ignored: it may be for one fan.
 */
export function pastExports(lines: readonly LedgerLine[], accountId: AccountId): readonly PastExport[] {
  return actsOf(lines)
    .filter((act) => act.operation === EXPORT && act.accountId === accountId)
    .filter(({ outcome }) => outcome === 'done' || outcome === 'adopted' || outcome === 'unknown')
    .flatMap((act) => {
      const details = detailsShape.safeParse(act.details);
      return details.success ? [{ act, details: details.data }] : [];
    })
    .toReversed();
}

/** Earlier exports of the same bytes that matter for this one. */
export interface EarlierExports {
  /** Those that count for this one, first those with a known media id. */
  readonly same: readonly PastExport[];
  /** The latest one that was for something else, where none stands for this one; how it differs, in words. */
  readonly other: { readonly past: PastExport; readonly difference: string } | null;
}

/**
 * Sorts out what the ledger knows of these bytes. What was aimed at one fan stands for that fan only. Beyond that,
 * `samePurpose` asks what its media was exported for; otherwise the wishes of the declared file decide.
 */
export function earlierExportsOf(
  past: readonly PastExport[],
  {
    fingerprint,
    wishes,
    samePurpose,
  }: { readonly fingerprint: string; readonly wishes: ExportWishes; readonly samePurpose: boolean },
): EarlierExports {
  const wanted = purposeOf(wishes);
  const same: PastExport[] = [];
  let other: EarlierExports['other'] = null;
  for (const one of past.filter(({ act }) => act.subject === fingerprint)) {
    const purpose = one.details.purpose ?? wanted;
    const difference = differenceOf(purpose, wanted);
    if (!samePurpose) {
      if (one.details.wishes === wishes.declared && purpose.fan_id === wanted.fan_id) same.push(one);
    } else if (difference === null) same.push(one);
    else other ??= { past: one, difference };
  }
  const isKnown = ({ act }: PastExport) => act.liveId !== null;
  return {
    same: [...same.filter(isKnown), ...same.filter((one) => !isKnown(one))],
    other: same.length > 0 ? null : other,
  };
}

/** `2026-06-01 12:00 UTC` */
export function dayOf({ sentAtMs }: Act): string {
  const [day, time] = instantText(sentAtMs).split('T');
  return time === undefined ? 'an unknown day' : `${day ?? ''} ${time.slice(0, 5)} UTC`;
}
