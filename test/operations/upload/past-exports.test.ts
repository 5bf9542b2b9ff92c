import { describe, expect, it } from 'vitest';
import { pastExports, earlierExportsOf } from '../../../src/operations/upload/past-exports.ts';
import { mediaKey } from '../../../src/domain/media.ts';
import { actsOf } from '../../../src/ledger/acts.ts';
import { neededActs } from '../../../src/ledger/keep.ts';
import type { LedgerLine } from '../../../src/ledger/lines.ts';
import { parseLedger } from '../../../src/ledger/parse.ts';
import { mediaOnRecord } from '../../../src/ledger/media-on-record.ts';
import { anActLine, anOutcomeLine, textOf } from '../../helpers/ledger-builders.ts';
import { compactLedger } from '../../helpers/whole-ledgers.ts';

const BYTES = 'sha256:aa';
const VAULT = { type: 'message', fan_id: null, guests: [], partners: [], tags: [] };

/** An export of the bytes, and the media that came of it. */
function exported(purpose: unknown, mediaId = '7'): readonly LedgerLine[] {
  const details = { key: 'k', name: 'a.jpg', size: 5, ...(purpose === undefined ? {} : { purpose }) };
  return [
    anActLine({ operation: 'vault.upload-export', subject: BYTES, details, entry: `r-${mediaId}` }),
    anOutcomeLine({ entry: `r-${mediaId}`, live_id: mediaId }),
  ];
}

function wishes(fanId: string | null) {
  return { type: 'message', fanId, guests: [], partners: [], tags: [], duration: undefined } as const;
}

/** The media that stand for the bytes, for that fan or for the vault. */
function standing(lines: readonly LedgerLine[], fanId: string | null, samePurpose: boolean) {
  const past = pastExports(lines, '101');
  const { same, other } = earlierExportsOf(past, { fingerprint: BYTES, wishes: wishes(fanId), samePurpose });
  return { same: same.map(({ act }) => act.liveId), other: other?.past.act.liveId ?? null };
}

const FOR_FAN = { ...VAULT, fan_id: '501' };

describe('media that is aimed at one fan', () => {
  it.each([true, false])('is never taken for the vault (same purpose: %s)', (samePurpose) => {
    expect(standing(exported(FOR_FAN), null, samePurpose).same).toEqual([]);
    expect(mediaOnRecord(exported(FOR_FAN)).size).toBe(0);
  });

  it.each([true, false])('is never taken for another fan (same purpose: %s)', (samePurpose) => {
    expect(standing(exported(FOR_FAN), '502', samePurpose).same).toEqual([]);
    expect(standing(exported(FOR_FAN), '501', samePurpose).same).toEqual(['7']);
  });

  it.each([true, false])('is not replaced by media of the vault (same purpose: %s)', (samePurpose) => {
    expect(standing(exported(VAULT), '501', samePurpose).same).toEqual([]);
    expect(mediaOnRecord(exported(VAULT))).toEqual(new Map([[mediaKey('101', '7'), BYTES]]));
  });

  it('stands next to that of the vault, each for its own', () => {
    const both = [...exported(FOR_FAN, '7'), ...exported(VAULT, '8')];
    expect(standing(both, null, false).same).toEqual(['8']);
    expect(standing(both, '501', false).same).toEqual(['7']);
    expect([...mediaOnRecord(both).keys()]).toEqual([mediaKey('101', '8')]);
  });
});

describe('an export with a purpose that', () => {
  it('was never written down stands for the vault', () => {
    expect(standing(exported(undefined), null, false).same).toEqual(['7']);
    expect(mediaOnRecord(exported(undefined)).size).toBe(1);
  });

  it.each([[{ ...VAULT, fan_id: 501 }], [{ ...FOR_FAN, guests: 'none' }], ['fan 501'], [{}]])(
    'cannot be read (%j) stands for nothing: it may be aimed at a fan',
    (purpose) => {
      expect(standing(exported(purpose), null, false)).toEqual({ same: [], other: null });
      expect(mediaOnRecord(exported(purpose)).size).toBe(0);
    },
  );
});

describe('an upload that the service could not use', () => {
  const act = anActLine({
    operation: 'vault.upload-export',
    subject: BYTES,
    details: { key: 'k', name: 'a.jpg', size: 5, purpose: VAULT },
  });
  const accepted = anOutcomeLine({ live_id: null, message: 'upload u-1' });
  const later = { at: '2026-06-01T12:01:00.000Z', live_id: null };

  it('stands for its bytes after a compaction, in whatever order a merge puts the lines', () => {
    const unusable = anOutcomeLine({
      ...later,
      message: 'upload u-1 is unprocessable',
      unprocessable: 'u-1',
    });
    const text = textOf([unusable, act, accepted]);
    const options = {
      before: '2027-01-01T00:00:00.000Z',
      at: '2027-01-01T00:00:00.000Z',
      run: 'c',
      who: 'w',
    };
    const { lines } = parseLedger(compactLedger(text, { ...options, archive: null }).text);
    expect(pastExports(lines, '101')).toMatchObject([{ act: { unprocessable: 'u-1', liveId: null } }]);
    expect(mediaOnRecord(lines).size).toBe(0);
  });

  it('that failed stands for nothing, and may be put away', () => {
    const failed = anOutcomeLine({ ...later, outcome: 'refused', message: 'upload u-1 failed' });
    expect(pastExports([act, accepted, failed], '101')).toEqual([]);
    expect(neededActs(actsOf([act, accepted, failed]), false)).toEqual([]);
  });
});
