import { describe, expect, it } from 'vitest';
import { madeAs } from '../../src/domain/made-as.ts';
import { digestInPlaceOf } from '../../src/domain/stored-text.ts';
import { createdAs } from '../../src/ledger/effects.ts';
import type { IntentLine } from '../../src/ledger/lines.ts';
import { withoutTexts } from '../../src/ledger/without-texts.ts';

const CREATE = {
  type: 'intent',
  name: 'Welcome',
  wanted: {
    content: { audience_filters: [], messages: [{ text: 'Hey', price_gross: 5 }, { text: null }] },
    scheduled_at: null,
  },
};

describe('a line without texts', () => {
  it('has a digest in place of each text of a create, and everything else', () => {
    const line = withoutTexts(CREATE) as unknown as IntentLine;
    expect(line.wanted?.content.messages).toEqual([
      { text: digestInPlaceOf('Hey'), price_gross: 5 },
      { text: null },
    ]);
    expect(line.wanted?.content.audience_filters).toEqual([]);
  });

  it('still shows what the create looked like', () => {
    const line = withoutTexts(CREATE) as unknown as IntentLine;
    expect(createdAs(line)).toBe(madeAs('Welcome', 'Hey'));
  });

  it('shows nothing about what it looked like where only the digest is known', () => {
    const { created_as: _, ...line } = withoutTexts(CREATE) as unknown as IntentLine;
    expect(createdAs(line)).toBeNull();
  });

  it('keeps the values of a rewrite, unless they are texts', () => {
    const price = { path: 'messages[0].price_gross', sent: '5', got: '6' };
    const cleared = { path: 'messages[0].text', sent: '"Hey"', got: 'null' };
    expect(withoutTexts({ type: 'rewrite', rewrites: [price, cleared] })).toEqual({
      type: 'rewrite',
      rewrites: [price, { ...cleared, sent: digestInPlaceOf('"Hey"') }],
    });
  });

  it.each([
    [{ type: 'intent', wanted: null, target: 'paused' }],
    [{ type: 'outcome', outcome: 'done', message: '' }],
    [{ type: 'act', operation: 'payouts.request', details: { amount: '5' } }],
  ])('is the same line if it has no text: %j', (line) => {
    expect(withoutTexts(line)).toEqual(line);
  });
});
