import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createWorld } from '../../src/simulator/world.ts';
import { decisions, planned } from '../helpers/flows.ts';
import { imported, leftOut, NOTHING_DECLARED } from '../helpers/imports.ts';
import { aScene, WORLD_FILE, type Scene } from '../helpers/scene.ts';

type Json = Record<string, unknown>;

afterEach(() => vi.unstubAllGlobals());

/** One hand-built campaign, which the service shows with these members instead of its own; they may be changed. */
function shownAs(odd: Json): Scene {
  const files = {
    'herald.yaml': NOTHING_DECLARED.replace(
      `simulator: ${WORLD_FILE}`,
      'auth_header: x-svc-auth-token, base_url: http://localhost:1, platforms: { primary: platform_a, secondary: platform_b }',
    ),
  };
  const scene = aScene({ files });
  Object.assign(scene.env, { HERALD_API_KEY: 'sim-key' });
  const simulator = createSimulator(createWorld({}), { clock: scene.clock });
  simulator.control.seedCampaign('101', { name: 'Odd' });
  vi.stubGlobal('fetch', async (request: Request) => {
    const response = await simulator.fetch(request);
    const body = (await response.json()) as { items?: Json[] };
    const items = body.items?.map((item) => ({ ...item, ...odd }));
    return Response.json(
      { ...body, ...(items === undefined ? {} : { items }) },
      { headers: response.headers },
    );
  });
  return scene;
}

const said = { step: 0, text: 'Hi', price_gross: 0, delay_sec: 0, attachments: [], text_is_paid: false };
const media = { id: '5', type: 'image', is_paid: false };
const sold = { ...said, text: 'Buy', price_gross: 9.99, attachments: [{ ...media, is_paid: true }] };
const filtered = (options: unknown) => ({
  audience_filters: [{ kind: 'new_kind', mode: 'exclude', options }],
});

describe('a campaign with something that this version cannot read', () => {
  it.each<[string, Json]>([
    ['a member of a message that no create sends', { messages: [{ ...said, voice_id: 'v1' }] }],
    [
      'such a member of an attachment',
      { messages: [{ ...said, attachments: [{ ...media, preview_id: '6' }] }] },
    ],
    ['a price in words', { messages: [{ ...said, price_gross: '9.99' }] }],
    ['attachments as bare ids', { messages: [{ ...said, attachments: ['5'] }] }],
    ['a delay in parts of a second', { messages: [{ ...said, delay_sec: 1.5 }] }],
    ['a text of another shape', { messages: [{ ...said, text: { html: 'x' }, attachments: [media] }] }],
    ['an unclear payment', { messages: [{ ...said, attachments: [{ ...media, is_paid: 'yes' }] }] }],
    ['fan lists as bare ids', filtered({ lists: ['55'] })],
    ['a fan list without an id', filtered({ lists: [{ id: null }] })],
    ['options of another shape', filtered(['x'])],
    ['a date as a number', filtered({ from_at: 1_700_000_000 })],
    ['an option of a later version', filtered({ min_spent: 5 })],
    ['an option of a later version that is false', filtered({ online: false })],
    ['a filter without a mode', { audience_filters: [{ kind: 'new_kind' }] }],
    ['rules of another shape', { rules: ['x'] }],
  ])('is left out: %s', async (_title, odd) => {
    const scene = shownAs(odd);
    const { ran, report } = await imported(scene);
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    expect(report.imported, scene.files.tree['campaigns/imported/alice.yaml']).toBe(0);
    expect(leftOut({ report })).toEqual([
      expect.stringMatching(/^(unreadable|not-expressible) alice\/campaign\/Odd$/),
    ]);
  });

  it('is imported where what it does not know is empty', async () => {
    const empty = { voice_id: null, reply_to: '', later: false, links: [] };
    const scene = shownAs({ messages: [{ ...said, ...empty, attachments: [{ ...media, ...empty }] }] });
    const { report } = await imported(scene);
    expect(report).toMatchObject({ imported: 1, left_out: [] });
  });
});

describe('a declared campaign with something that this version cannot read', () => {
  it.each<[string, Json]>([
    ['a price in words', { messages: [{ ...sold, price_gross: '9.99' }] }],
    ['attachments as bare ids', { messages: [{ ...sold, attachments: ['5'] }] }],
    ['a text of another shape', { messages: [{ ...sold, text: { html: 'Buy' } }] }],
    ['a filter of another shape', { audience_filters: [{ kind: ['new_kind'], mode: 'exclude' }] }],
    ['fan lists as bare ids', filtered({ lists: ['55'] })],
  ])('is not sent once more for it: %s', async (_title, odd) => {
    const shown: Json = { messages: [sold] };
    const scene = shownAs(shown);
    expect((await imported(scene)).report.imported).toBe(1);
    Object.assign(shown, odd);
    const { plan } = await planned(scene);
    expect(decisions({ plan }).filter((line) => !line.startsWith('blocked '))).toEqual([]);
  });
});
