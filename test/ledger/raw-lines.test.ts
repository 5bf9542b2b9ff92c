import { describe, expect, it } from 'vitest';
import { effectsOf } from '../../src/ledger/effects.ts';
import type { IntentLine, LedgerLine } from '../../src/ledger/lines.ts';
import { compactedText } from '../../src/host/compacted-file.ts';
import { editOf } from '../../src/ledger/compact.ts';
import { mediaOnRecord } from '../../src/ledger/media-on-record.ts';
import { textOfContent } from '../workspace/memory-files.ts';
import { anActLine, anIntent, anOutcomeLine, textOf } from '../helpers/ledger-builders.ts';
import { compactionOf, rawLines } from '../helpers/whole-ledgers.ts';

/** A create with a message that shows those attachments. */
function showing(...attachments: readonly object[]): IntentLine {
  const content = {
    kind: 'welcome',
    rules: {},
    audience_filters: [],
    messages: [{ text: 'Hi', attachments }],
  };
  return anIntent({ wanted: { content: content as never, scheduled_at: null }, baseline: ['1', '2'] });
}

function effectsIn(lines: readonly LedgerLine[]) {
  const intents = new Map(lines.flatMap((line) => (line.type === 'intent' ? [[line.entry, line]] : [])));
  return lines.flatMap((line) => effectsOf(line, intents));
}

describe('all lines of a ledger at once', () => {
  it.each([
    ['no content', anIntent()],
    ['no media', showing()],
    ['media of the vault', showing({ id: '5', type: 'image' })],
    ['a file', showing({ id: '5', type: 'image', file: { path: 'a.jpg', digest: 'd' } })],
  ])('say the same of objects without what only a plan needs: %s', (_title, intent) => {
    const lines = [intent, anOutcomeLine()];
    const read = rawLines(textOf(lines)).flatMap(({ line }) => line ?? []);
    expect(effectsIn(read)).toEqual(effectsIn(lines));
  });

  it('say the same of uploads', () => {
    const purposes = [undefined, { fan_id: null }, { fan_id: '9' }];
    const lines = purposes.flatMap((purpose, index) => [
      anActLine({
        entry: `r-${index}`,
        operation: 'vault.upload-export',
        details: { key: 'k', name: 'a.jpg', size: 3, ...(purpose && { purpose }) },
      }),
      anOutcomeLine({ entry: `r-${index}`, live_id: `${index}` }),
    ]);
    const read = rawLines(textOf(lines)).flatMap(({ line }) => line ?? []);
    expect(mediaOnRecord(read)).toEqual(mediaOnRecord(lines));
  });
});

describe('what a compaction writes', () => {
  const OPTIONS = {
    before: '2026-06-02T00:00:00.000Z',
    at: '2026-09-10T00:00:00.000Z',
    run: 'c',
    who: 'x',
    archive: null,
  };

  /** The compaction of one text, written from a file that has gone on since. */
  async function written(read: string, now: string): Promise<readonly string[]> {
    const pieces = (async function* () {
      for (let from = 0; from < now.length; from += 50) yield Buffer.from(now.slice(from, from + 50));
    })();
    const edit = editOf(compactionOf(read, OPTIONS), null);
    const text = await textOfContent(compactedText(pieces, edit));
    return text.split('\n').slice(0, -1);
  }

  const settled = textOf([anIntent(), anOutcomeLine()]);
  const added = textOf([anIntent({ entry: 'r-2', at: '2026-09-10T00:00:00.000Z' })]);

  it('has the lines at its end that were added meanwhile', async () => {
    const [mark, account, known, ...more] = await written(settled, settled + added);
    expect([mark, account, known].map((line) => (JSON.parse(line ?? '') as LedgerLine).type)).toEqual([
      'compacted',
      'compacted',
      'known',
    ]);
    expect(more).toEqual([added.trimEnd()]);
  });

  it('has a last line that another run was writing when it was read, once that is whole', async () => {
    expect((await written(settled + added.slice(0, 40), settled + added)).at(-1)).toBe(added.trimEnd());
    expect((await written(settled + added.slice(0, 40), settled + added.slice(0, 40))).length).toBe(3);
  });
});
