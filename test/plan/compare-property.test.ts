import { describe, expect, it } from 'vitest';
import { listIdsOf, type DeclaredFilter } from '../../src/domain/audience.ts';
import type { KnownObject } from '../../src/domain/knowledge.ts';
import type { DeclaredMessage } from '../../src/domain/message.ts';
import type { ObservedFilter, ObservedMessage } from '../../src/domain/replies.ts';
import type { DeclaredCampaign } from '../../src/domain/resource.ts';
import { compare } from '../../src/plan/compare/compare.ts';
import { plainText } from '../../src/domain/plain-text.ts';
import { fc } from '../helpers/properties.ts';
import { aCampaign, aLiveCampaign, createdFrom, knowing, served } from '../helpers/resource-builders.ts';

const id = fc.integer({ min: 1, max: 40 }).map(String);
const instant = fc.integer({ min: 0, max: 5000 }).map((hour) => new Date(hour * 3_600_000).toISOString());
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((value) => plainText(value).trim() !== '');
const options = { requiredKeys: [] };

const messages = fc.array(
  fc.record(
    {
      text,
      price_gross: fc.integer({ min: 0, max: 5000 }).map((cents) => cents / 100),
      delay_sec: fc.nat(5000),
      attachments: fc.array(
        fc.record({ id, type: fc.constantFrom('image', 'video'), is_paid: fc.boolean() }),
        { maxLength: 3 },
      ),
      text_is_paid: fc.boolean(),
      tagged_platform_account_ids: fc.uniqueArray(id, { maxLength: 3 }),
    },
    { requiredKeys: ['text'] },
  ),
  { minLength: 1, maxLength: 4 },
);

const lists = fc.uniqueArray(
  fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), id: fc.option(id, { nil: undefined }) }),
  {
    minLength: 1,
    maxLength: 3,
    selector: ({ name }) => name,
  },
);
const filters = fc.array(
  fc.record({
    kind: fc.constantFrom('subscribed_date', 'purchased_from_organisation'),
    mode: fc.constantFrom('include' as const, 'exclude' as const),
    options: fc.oneof(
      fc.record({ from_at: instant, to_at: instant, lists }, options),
      fc.record({ from_days: fc.nat(100), to_days: fc.nat(100), lists }, options),
    ),
  }),
  { maxLength: 4 },
);

const rules = fc.record(
  {
    send_delay_interval: fc.record(
      { min_sec: fc.nat(100), range_sec: fc.nat(100) },
      { requiredKeys: ['min_sec'] },
    ),
    unsend_delay_sec: fc.nat(5000),
    mimic_on_reply_enabled: fc.boolean(),
    end_at: fc.option(instant, { nil: null }),
  },
  options,
);

const declaredCampaign = fc
  .record({ messages, audience_filters: filters, rules })
  .map((content) => aCampaign(content as Parameters<typeof aCampaign>[0]));

/** A list id as the service would know it: pinned, or made from the name. */
function listId({ name, id: pinned }: { name: string; id?: string | undefined }): string {
  return pinned ?? String(900 + name.charCodeAt(0));
}

/** What the service would show: defaults filled in, names and days dropped, order and spelling its own. */
function asServed({ content }: DeclaredCampaign) {
  const shown = content.messages.map((message, step): ObservedMessage => ({
    step,
    text: `${(message.text ?? '').normalize('NFD').replace(/\r\n?|\n/g, '\r\n')}\n`,
    price_gross: (message.price_gross ?? 0) + 1e-7,
    delay_sec: message.delay_sec ?? 0,
    attachments: served([message])[0]?.attachments ?? [],
    text_is_paid: message.text_is_paid ?? false,
    tagged_platform_account_ids: (message.tagged_platform_account_ids ?? []).toReversed(),
  }));
  return aLiveCampaign({
    messages: shown.toReversed(),
    audience_filters: content.audience_filters.map(servedFilter).toReversed(),
    rules: { unsend_if_not_read_enabled: false, retry_after_unsend_min: 0, ...content.rules },
  });
}

function servedFilter({ kind, mode, options: wanted }: DeclaredFilter): ObservedFilter {
  const { from_at, to_at, from_days } = wanted ?? {};
  const shownLists = (wanted?.lists ?? []).map((list) => ({ id: listId(list) })).toReversed();
  return {
    kind,
    mode,
    options: {
      from_at: from_at ?? (from_days === undefined ? null : '2026-01-01T00:00:00Z'),
      to_at: to_at ?? null,
      lists: shownLists,
    },
  };
}

/** What the ledger keeps of the create that made it. */
function ledgerOf(declared: DeclaredCampaign): KnownObject | null {
  const listIds = listIdsOf(asServed(declared).live.audience_filters);
  return (
    [...knowing({ campaigns: [{ id: '1', listIds, ...createdFrom(declared) }] }).objects.values()][0] ?? null
  );
}

type Edit = (declared: DeclaredCampaign) => Partial<DeclaredCampaign['content']> | null;

function editFirstMessage(edit: (message: DeclaredMessage) => Partial<DeclaredMessage>): Edit {
  return ({ content }) => {
    const [first, ...rest] = content.messages;
    return first === undefined ? null : { messages: [{ ...first, ...edit(first) }, ...rest] };
  };
}

function editFirstFilter(edit: (filter: DeclaredFilter) => Partial<DeclaredFilter> | null): Edit {
  return ({ content }) => {
    const [first, ...rest] = content.audience_filters;
    const edited = first === undefined ? null : edit(first);
    return first === undefined || edited === null
      ? null
      : { audience_filters: [{ ...first, ...edited }, ...rest] };
  };
}

/** Every single edit that changes what a fan gets, or who; null where there is nothing to edit. */
const EDITS: Record<string, Edit> = {
  'another text': editFirstMessage(({ text: old }) => ({ text: `${old ?? ''}!` })),
  'another price': editFirstMessage(({ price_gross: old }) => ({ price_gross: (old ?? 0) + 0.01 })),
  'another delay': editFirstMessage(({ delay_sec: old }) => ({ delay_sec: (old ?? 0) + 1 })),
  'one more attachment': editFirstMessage(({ attachments: old }) => ({
    attachments: [...(old ?? []), { id: '99', type: 'image' }],
  })),
  'paid text turned round': editFirstMessage(({ text_is_paid: old }) => ({ text_is_paid: old !== true })),
  'one more tag': editFirstMessage(({ tagged_platform_account_ids: old }) => ({
    tagged_platform_account_ids: [...(old ?? []), '99'],
  })),
  'one more message': ({ content }) => ({ messages: [...content.messages, { text: 'more' }] }),
  'one message less': ({ content }) =>
    content.messages.length < 2 ? null : { messages: content.messages.slice(1) },
  'another trigger': () => ({ trigger: 'expired' }),
  'one more filter': ({ content }) => ({
    audience_filters: [...content.audience_filters, { kind: 'subscribed_date', mode: 'include' }],
  }),
  'one filter less': ({ content }) =>
    content.audience_filters.length === 0 ? null : { audience_filters: content.audience_filters.slice(1) },
  'another mode': editFirstFilter(({ mode }) => ({ mode: mode === 'include' ? 'exclude' : 'include' })),
  'a date dropped': editFirstFilter(({ options: old }) =>
    old?.from_at === undefined ? null : { options: { ...old, from_at: undefined } },
  ),
  'other days': editFirstFilter(({ options: old }) =>
    typeof old?.from_days !== 'number' ? null : { options: { ...old, from_days: old.from_days + 1000 } },
  ),
  'one more list': editFirstFilter(({ options: old }) => ({
    options: { ...old, lists: [...(old?.lists ?? []), { name: 'new', id: '99' }] },
  })),
  'another rule': ({ content }) => ({
    rules: { ...content.rules, unsend_delay_sec: (content.rules?.unsend_delay_sec ?? 0) + 1 },
  }),
  'a flag turned on': ({ content }) => ({ rules: { ...content.rules, unsend_if_not_read_enabled: true } }),
  'another end': ({ content }) => ({ rules: { ...content.rules, end_at: '2030-01-01T00:00:00Z' } }),
};

describe('whatever is declared', () => {
  it('equals what the service shows of it, with the ledger and without', () => {
    fc.assert(
      fc.property(declaredCampaign, (declared) => {
        expect(compare(declared, asServed(declared), ledgerOf(declared))).toEqual({
          verdict: 'equal',
          unverifiable: [],
          ignored: [],
        });
        expect(compare(declared, asServed(declared), null).verdict).toBe('equal');
      }),
    );
  });

  it.each(Object.keys(EDITS))('differs after a single edit: %s', (name) => {
    fc.assert(
      fc.property(declaredCampaign, (declared) => {
        const edited = EDITS[name]?.(declared) ?? null;
        fc.pre(edited !== null);
        const after = { ...declared, content: { ...declared.content, ...edited } };
        expect(compare(after, asServed(declared), ledgerOf(declared)).verdict).toBe('different');
      }),
    );
  });
});
