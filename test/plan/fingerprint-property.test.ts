import { stringify } from 'yaml';
import { describe, expect, it } from 'vitest';
import { buildPlan } from '../../src/plan/build.ts';
import { declaredFingerprint } from '../../src/plan/fingerprint/declared-part.ts';
import { withFingerprints } from '../../src/plan/fingerprint/fingerprints.ts';
import { loadDeclared } from '../../src/workspace/load.ts';
import { fc } from '../helpers/properties.ts';
import { WORKSPACE } from '../helpers/scene.ts';
import { memoryFiles } from '../workspace/memory-files.ts';
import { anInput } from './plan-of.ts';

type Written = Readonly<Record<string, unknown>>;

const word = fc.stringMatching(/^[A-Za-zéü][a-zé ]{0,8}[a-z]$/);
const id = fc.bigInt({ min: 10n ** 17n, max: 10n ** 19n - 1n }).map(String);
const price = fc.integer({ min: 300, max: 20_000 }).map((cents) => cents / 100);
const message = fc.record(
  {
    text: fc.tuple(word, word).map((lines) => lines.join('\n')),
    price_gross: price,
    delay_sec: fc.integer({ min: 1, max: 90_000 }),
    attachments: fc.array(fc.record({ id, type: fc.constantFrom('image', 'video') }), {
      minLength: 1,
      maxLength: 3,
    }),
  },
  { requiredKeys: ['text', 'attachments'] },
);
const filter = fc.record({
  kind: fc.constantFrom('subscribed_date', 'purchased_from_organisation'),
  mode: fc.constantFrom('include', 'exclude'),
  options: fc.record({
    from_days: fc.integer({ min: 30, max: 60 }),
    to_days: fc.integer({ min: 1, max: 20 }),
  }),
});
const shared = {
  name: word,
  messages: fc.array(message, { minLength: 1, maxLength: 3 }),
  audience_filters: fc.array(filter, { minLength: 1, maxLength: 3 }),
};
const campaign = fc.record({
  ...shared,
  trigger: fc.constant('welcome_message'),
  action: fc.constant('send_message'),
  rules: fc.record({ unsend_delay_sec: fc.integer({ min: 1, max: 900 }) }),
});
const broadcast = fc.record({
  ...shared,
  scheduled_at: fc.integer({ min: 10, max: 23 }).map((hour) => `2026-07-01T${hour}:00Z`),
});

interface WrittenBroadcast {
  readonly name: string;
  readonly messages: readonly {
    readonly text: string;
    readonly price_gross?: number;
    readonly delay_sec?: number;
    readonly attachments: readonly { readonly id: string; readonly type: string }[];
  }[];
  readonly audience_filters: readonly {
    readonly mode: string;
    readonly options: { readonly from_days: number };
  }[];
}

/** The same value with the keys of every object in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reordered(member)]),
  );
}

async function declaredIn(tree: Record<string, string>) {
  const loaded = await loadDeclared(memoryFiles({ 'herald.yaml': WORKSPACE, ...tree }), { env: {} });
  if (loaded.kind !== 'loaded') throw new Error(JSON.stringify(loaded.diagnostics));
  return loaded.declared;
}

/** The fingerprints of the plan's changes, and of what is declared, by address. */
async function printsOf(tree: Record<string, string>): Promise<Record<string, readonly unknown[]>> {
  const declared = await declaredIn(tree);
  const input = anInput(declared, []);
  const { changes } = withFingerprints(buildPlan(input), input);
  return Object.fromEntries(
    declared.map((one) => [
      `${one.address.account}/${one.kind}/${one.address.name}`,
      [
        declaredFingerprint(one),
        changes.find(
          ({ address }) => address.name === one.address.name && address.account === one.address.account,
        )?.fingerprint,
      ],
    ]),
  );
}

const inOneFile = (resources: Written) => ({
  'live/all.yaml': JSON.stringify({ accounts: ['alice'], ...resources }),
});

describe('fingerprints of files', () => {
  it('are equal in every order of keys, layout of files, style of YAML, and with anchors', async () => {
    await fc.assert(
      fc.asyncProperty(campaign, broadcast, async (one, other) => {
        const expected = await printsOf(inOneFile({ campaigns: [one], broadcasts: [other] }));
        expect(Object.keys(expected)).toHaveLength(2);
        const accounts = ['alice'];
        const layouts = [
          inOneFile(reordered({ campaigns: [one], broadcasts: [other] }) as Written),
          {
            'live/one.yaml': stringify(
              { campaigns: [one], accounts },
              { collectionStyle: 'block', lineWidth: 0 },
            ),
            'live/two.yaml': stringify(
              { broadcasts: [other], accounts },
              { defaultStringType: 'QUOTE_SINGLE' },
            ),
          },
          {
            'live/all.yaml': stringify(
              { accounts, broadcasts: [other], campaigns: [one] },
              { defaultStringType: 'BLOCK_LITERAL', defaultKeyType: 'PLAIN', collectionStyle: 'block' },
            ),
          },
        ];
        for (const layout of layouts) expect(await printsOf(layout)).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  it('are equal with an anchor and without it', async () => {
    const plain =
      '- { name: A, trigger: welcome_message, action: send_message, audience: everyone, messages: [{ text: Hey }] }';
    const anchored =
      'audience: everyone, messages: &hey [{ text: Hey }] }\n- { name: B, trigger: welcome_message, action: send_message, audience: everyone, messages: *hey }';
    const file = (list: string) => ({
      'live/a.yaml': `accounts: [alice]\ncampaigns:\n${list.replaceAll(/^/gm, '  ')}\n`,
    });
    expect(
      await printsOf(file(`- { name: A, trigger: welcome_message, action: send_message, ${anchored}`)),
    ).toEqual(await printsOf(file(`${plain}\n${plain.replace('name: A', 'name: B')}`)));
  });

  it('are equal whether a default is written or not', async () => {
    const bare = {
      name: 'A',
      trigger: 'welcome_message',
      action: 'send_message',
      audience: 'everyone',
      messages: [{ text: 'Hey' }],
    };
    const full = {
      ...bare,
      status: 'active',
      replace: 'pause_first',
      old_queue: 'keep',
      rules: { unsend_if_not_read_enabled: false, end_at: null },
      messages: [{ text: 'Hey', price_gross: 0, delay_sec: 0, attachments: [] }],
    };
    expect(await printsOf(inOneFile({ campaigns: [full] }))).toEqual(
      await printsOf(inOneFile({ campaigns: [bare] })),
    );
  });

  it('differ after any change of what fans get, when, who gets it, or at what price', async () => {
    const first = (one: WrittenBroadcast) => one.messages[0] ?? { text: '', attachments: [] };
    const range = (one: WrittenBroadcast) =>
      one.audience_filters[0] ?? { mode: '', options: { from_days: 0 } };
    const edits: readonly ((one: WrittenBroadcast) => object)[] = [
      (one) => Object.assign(first(one), { text: `${first(one).text}!` }),
      (one) => Object.assign(first(one), { price_gross: (first(one).price_gross ?? 5) + 1 }),
      (one) => Object.assign(first(one), { delay_sec: (first(one).delay_sec ?? 0) + 1 }),
      (one) => Object.assign(first(one), { attachments: [{ id: '5', type: 'image' }] }),
      (one) =>
        Object.assign(first(one), {
          attachments: first(one).attachments.map((media) => ({ ...media, type: 'audio' })),
        }),
      (one) => Object.assign(one, { messages: [...one.messages, { text: 'One more' }] }),
      (one) => Object.assign(one, { messages: [{ text: 'One before' }, ...one.messages] }),
      (one) => Object.assign(range(one), { options: { ...range(one).options, from_days: 61 } }),
      (one) => Object.assign(range(one), { mode: range(one).mode === 'include' ? 'exclude' : 'include' }),
      (one) => Object.assign(one, { audience_filters: undefined, audience: 'everyone' }),
      (one) => Object.assign(one, { scheduled_at: '2026-07-02T10:00Z' }),
      (one) => Object.assign(one, { rules: { end_at: '2026-08-01T10:00Z' } }),
      (one) => Object.assign(one, { name: `${one.name}x` }),
    ];
    await fc.assert(
      fc.asyncProperty(broadcast, fc.constantFrom(...edits), async (one, edit) => {
        const edited = structuredClone(one) as WrittenBroadcast;
        edit(edited);
        const values = async (resource: unknown) =>
          Object.values(await printsOf(inOneFile({ broadcasts: [resource] })));
        const [before, after] = [await values(one), await values(edited)];
        const all = [...before, ...after].flat();
        expect(new Set(all).size).toBe(all.length);
      }),
      { numRuns: 60 },
    );
  });
});
