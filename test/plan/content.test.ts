import { describe, expect, it } from 'vitest';
import type { Declared, Observed } from '../../src/domain/resource.ts';
import {
  compare,
  digestDeclared,
  digestLive,
  NOTHING_ON_RECORD,
  parseShown,
  readShown,
  describeAsked,
  matchCreated,
  parseAsked,
} from '../../src/plan/compare/content.ts';
import { fc } from '../helpers/properties.ts';
import {
  aBroadcast,
  aCampaign,
  aLiveBroadcast,
  aLiveCampaign,
  served,
} from '../helpers/resource-builders.ts';

const NO_SURROUNDINGS = { baseline: ['7'], replaces: [] };

const messageArbitrary = fc.record(
  {
    text: fc.string({ minLength: 1 }).filter((text) => /\S/.test(text)),
    price_gross: fc.integer({ min: 0, max: 20_000 }).map((cents) => cents / 100),
    delay_sec: fc.nat(1_000),
    attachments: fc.array(
      fc.record({ id: fc.stringMatching(/^[1-9]\d{0,18}$/), type: fc.constant('image') }),
      {
        maxLength: 2,
      },
    ),
  },
  { requiredKeys: ['text'] },
);

const filterArbitrary = fc.record(
  {
    kind: fc.constantFrom('subscribed_date', 'purchased_from_organisation'),
    mode: fc.constantFrom('include' as const, 'exclude' as const),
    options: fc.record(
      {
        from_days: fc.nat(3_650),
        lists: fc.array(fc.record({ name: fc.constantFrom('VIP', 'New') }), { minLength: 1 }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['kind', 'mode'] },
);

/** As the service shows what it was sent: lists by id, no days, every default filled in. */
function liveCopy(declared: Declared, id: string): Observed {
  const { content } = declared;
  const live = {
    id,
    name: declared.address.name,
    rules: { unsend_delay_sec: 0, mimic_on_reply_enabled: false, end_at: null, ...content.rules },
    audience_filters: content.audience_filters
      .map(({ kind, mode, options }) => ({
        kind,
        mode,
        options: { lists: (options?.lists ?? []).map((_, at) => ({ id: `${at + 1}` })) },
      }))
      .toReversed(),
    messages: served(content.messages).map((message, step) => ({
      price_gross: 0,
      delay_sec: 0,
      ...message,
      step,
    })),
  };
  return declared.kind === 'campaign'
    ? aLiveCampaign(live)
    : aLiveBroadcast({ ...live, scheduled_at: declared.scheduledAtUtc.replace('Z', '.000+00:00') });
}

const declaredArbitrary: fc.Arbitrary<Declared> = fc
  .record({
    isCampaign: fc.boolean(),
    messages: fc.array(messageArbitrary, { minLength: 1, maxLength: 3 }),
    audience_filters: fc.array(filterArbitrary, { maxLength: 3 }),
    rules: fc.constantFrom(
      {},
      { unsend_delay_sec: 60 },
      { end_at: '2026-08-01T10:00:00Z' },
      { mimic_on_reply_enabled: false },
    ),
  })
  .map(({ isCampaign, ...content }) => (isCampaign ? aCampaign(content) : aBroadcast(content)));

describe('the digests of contents', () => {
  it('give a declared resource and its own live copy one digest, and know the copy again', () => {
    fc.assert(
      fc.property(declaredArbitrary, fc.stringMatching(/^[1-9]\d{18}$/), (declared, id) => {
        const live = liveCopy(declared, id);
        expect(digestLive(live)).toBe(digestDeclared(declared));
        const asked = parseAsked(JSON.stringify(describeAsked(declared, NO_SURROUNDINGS)));
        expect(asked === null ? null : matchCreated(asked, live)).toBe('equal');
      }),
    );
  });

  it('know another text, price, hour and trigger apart, and not another name', () => {
    const digests = [
      aBroadcast(),
      aBroadcast({ scheduledAtUtc: '2026-06-01T19:00:00Z' }),
      aBroadcast({ messages: [{ text: 'Tonight' }] }),
      aBroadcast({ messages: [{ text: 'Tomorrow', price_gross: 5 }] }),
      aCampaign(),
      aCampaign({ trigger: 'expired' }),
    ].map(digestDeclared);
    expect(new Set(digests).size).toBe(digests.length);
    expect(digestDeclared(aBroadcast({ name: 'Other' }))).toBe(digestDeclared(aBroadcast()));
    expect(digestDeclared(aBroadcast())).toMatch(/^1:/);
  });

  it('are null for what cannot be read, whatever is missing in it', () => {
    expect(digestLive(aLiveBroadcast({ messages: [] }))).toBeNull();
    expect(digestLive(aLiveCampaign({ action: null }))).toBeNull();
    expect(digestLive(aLiveCampaign({ trigger: null }))).toBeNull();
    expect(digestLive(aLiveBroadcast({ rules: null, audience_filters: null, scheduled_at: null }))).toMatch(
      /^1:/,
    );
  });
});

describe('what a create asks for', () => {
  it('has no text of a message', () => {
    const asked = JSON.stringify(
      describeAsked(aCampaign({ messages: [{ text: 'Secret' }] }), NO_SURROUNDINGS),
    );
    expect(asked).not.toContain('Secret');
  });

  it.each(['', 'null', '{}', '[1]', '{"version":2}', '{"version":1,"wanted":{}}'])('survives %s', (text) => {
    expect(parseAsked(text)).toBeNull();
  });
});

describe('what was read back after a create', () => {
  const declared = aCampaign({ messages: [{ text: 'Hey  you' }], rules: { unsend_delay_sec: 60 } });
  const rewritten = aLiveCampaign({
    rules: { unsend_delay_sec: 120, retry_after_unsend_min: 5 },
    messages: [{ text: 'Hey you', step: 0, price_gross: 0 }],
  });
  const shown = parseShown(readShown(declared, rewritten));
  const onRecord = { ...NOTHING_ON_RECORD, shown };

  it('does not count as drift while the file and the live object are unchanged', () => {
    expect(compare(declared, rewritten).verdict).toBe('different');
    expect(compare(declared, rewritten, onRecord).verdict).toBe('equal');
  });

  it('counts as drift once the file or the live object has another value', () => {
    const edited = aCampaign({ messages: [{ text: 'Bye' }], rules: { unsend_delay_sec: 60 } });
    expect(compare(edited, rewritten, onRecord)).toMatchObject({
      verdict: 'different',
      fields: [{ path: 'messages[0].text', old: 'Hey you', new: 'Bye' }],
    });
    const moved = aLiveCampaign({ rules: { unsend_delay_sec: 180 }, messages: rewritten.live.messages });
    expect(compare(declared, moved, onRecord)).toMatchObject({
      verdict: 'different',
      fields: [{ path: 'rules.unsend_delay_sec' }],
    });
  });

  it('is nothing where the service shows what was sent, and has no text', () => {
    expect(readShown(aCampaign(), aLiveCampaign())).toBeNull();
    expect(readShown(declared, rewritten)).not.toContain('Hey');
    expect(parseShown('{"version":9}')).toEqual(parseShown(null));
  });
});

it('ids of 19 digits are compared without losing one', () => {
  const attached = (id: string) => ({ text: 'Hey', attachments: [{ id, type: 'image' }] });
  const live = aLiveCampaign({ messages: [{ step: 0, ...attached('9007199254740993123') }] });
  const verdict = (id: string) => compare(aCampaign({ messages: [attached(id)] }), live).verdict;
  expect([verdict('9007199254740993123'), verdict('9007199254740993124')]).toEqual(['equal', 'different']);
});
