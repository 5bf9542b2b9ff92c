import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/api/client.ts';
import type { Conclusion } from '../../../src/ledger/ledger.ts';
import { followExport } from '../../../src/operations/upload/follow-export.ts';
import type { UploadRecord } from '../../../src/operations/upload/upload.ts';
import { UploadWatch } from '../../../src/live/uploads.ts';
import { flowClock } from '../../helpers/flow-clock.ts';

const KEY = 'uploads/k';
const record = (id: string, status: string, mediaId: string | null = null, key = KEY): UploadRecord => ({
  id,
  status,
  media_id: mediaId,
  metadata: { key, export_type: 'post' },
  created_at: `2026-06-01T12:00:0${id.length}Z`,
});

/** Follows upload `a` over a list that the test writes; one that throws cannot be read. */
async function followed(
  list: (seconds: number) => readonly UploadRecord[],
  { waitMs = 60_000, repeated = false }: { waitMs?: number | null; repeated?: boolean } = {},
) {
  const clock = flowClock(0);
  const warnings: string[] = [];
  const written: Conclusion[] = [];
  const client = {
    callLoosely: async () => {
      const items = list(clock.monotonicMs() / 1000);
      return { kind: 'done', sentAtMs: 0, reply: { items, total: items.length } };
    },
  } as unknown as Client;
  const interrupted = new AbortController().signal;
  const news = { listen: () => () => undefined };
  const account = { alias: 'alice', accountId: '101' };
  const conclude = async (_: string, conclusion: Conclusion) => void written.push(conclusion);
  const result = await followExport(
    { client, clock, ledger: { conclude } },
    { account, onWarning: (sentence) => warnings.push(sentence) },
    { entry: 'e', record: record('a', 'uploaded'), key: KEY, ...(repeated ? { repeated } : {}) },
    { watch: new UploadWatch({ client, clock, random: () => 0, interrupted, news }, '101'), waitMs },
  );
  return { result, warnings, written, seconds: clock.monotonicMs() / 1000 };
}

describe('two exports of one key', () => {
  it('the followed one fails: the other is followed in its place, and nothing says to upload again', async () => {
    const { result, warnings, written } = await followed((seconds) => [
      record('a', 'failed'),
      record('bb', seconds < 10 ? 'processing' : 'exported', seconds < 10 ? null : '7'),
    ]);
    expect(result).toMatchObject({ outcome: 'exported', uploadId: 'bb', mediaId: '7' });
    expect(warnings).toEqual([
      expect.stringMatching(/^Upload a failed \(failed\)\..* bb\. Herald waits for that one/),
    ]);
    expect(written).toMatchObject([{ outcome: 'done', live_id: '7' }]);
  });

  it.each(['failed', 'unprocessable'] as const)('all fail: %s', async (status) => {
    const { result, written } = await followed(() => [record('a', status), record('bb', status)]);
    expect(result).toMatchObject({ outcome: status, mediaId: null });
    expect(written).toHaveLength(1);
  });

  it('the other does not come to an end within the one wait: pending, and not on record as failed', async () => {
    const { result, written, seconds } = await followed(() => [
      record('a', 'failed'),
      record('bb', 'exporting'),
    ]);
    expect(result).toMatchObject({ outcome: 'pending', uploadId: 'bb' });
    expect([written, seconds]).toEqual([[], 60]);
  });

  it('one that failed is not a second copy of the media', async () => {
    const list = [record('a', 'exported', '7'), record('bb', 'failed')];
    expect((await followed(() => list, { repeated: true })).warnings).toEqual([]);
    const both = [record('a', 'exported', '7'), record('bb', 'exported', '8')];
    expect((await followed(() => both, { repeated: true })).warnings).toEqual([
      expect.stringContaining('may be a second copy'),
    ]);
  });

  it('uploads of other keys, and what is not an export, are not taken for it', async () => {
    const start = { ...record('bb', 'uploaded'), metadata: { key: KEY } };
    const other = record('ccc', 'exported', '8', 'uploads/other');
    expect((await followed(() => [record('a', 'failed'), start, other])).result.outcome).toBe('failed');
  });
});
