import { afterEach, describe, expect, it, vi } from 'vitest';
import { altered } from '../helpers/altered.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, createsSent, decisions, liveOn, outcomes, planned } from '../helpers/flows.ts';
import { aScene, LEDGER_FILE, type Scene } from '../helpers/scene.ts';

afterEach(() => vi.unstubAllGlobals());

const RESET = Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET' });
/** One name in two forms: é is one character, or an e and an accent. */
const ONE = 'Café'.normalize('NFC');
const TWO = 'Café'.normalize('NFD');
const FORMS = [
  ['the other form', TWO, ONE],
  ['its usual form', ONE, TWO],
] as const;
const WORDS = { messages: [{ text: 'Only today' }], audience_filters: [] };

function filesFor(raw: string, drafted: string): Record<string, string> {
  const draft = { name: drafted, audience: 'everyone', messages: WORDS.messages };
  return {
    'drafts/today.yaml': JSON.stringify({ accounts: ['alice'], broadcasts: [draft] }),
    'body.json': JSON.stringify({ name: raw, ...WORDS }),
    'other.json': JSON.stringify({ name: drafted, ...WORDS }),
  };
}

const ask = (scene: Scene, file = 'body.json') =>
  scene.herald('api', 'broadcasts.create', '--account', 'alice', '--body', file, '--yes');
const send = (scene: Scene, name: string = ONE) =>
  scene.herald('broadcasts', 'send', `drafts/today.yaml#${name}`, '--allow', 'now', '--yes');

/** The service acts on the first create 50 s after its answer is lost. */
function late(files: Readonly<Record<string, string>>) {
  let isFirst = true;
  const made = altered(
    async (request, answer) => {
      if (request.method === 'GET' || !isFirst) return answer();
      isFirst = false;
      const copy = request.clone();
      void made.scene.clock.sleep(50_000).then(() => made.simulator.fetch(copy));
      throw RESET;
    },
    { files },
  );
  const names = () =>
    Object.values(made.world.accounts['101']?.broadcasts ?? {}).map(({ live }) => live.name);
  return { ...made, names };
}

describe.each(FORMS)('a raw broadcast with its name in %s', (_, raw, drafted) => {
  it('is sent once: a draft of the name is not sent next to it', async () => {
    const scene = aScene({ files: filesFor(raw, drafted) });
    expect((await ask(scene)).code).toBe(0);
    const sent = await send(scene);
    expect([sent.code, sent.stderr]).toEqual([5, expect.stringContaining('Herald has sent it as')]);
    const lines = scene.files.tree[LEDGER_FILE] ?? '';
    expect(lines).toContain(`"name":"${ONE}"`);
    // As an earlier version has recorded it.
    scene.files.tree[LEDGER_FILE] = lines.replaceAll(`"name":"${ONE}"`, `"name":"${raw}"`);
    expect((await send(scene)).stderr).toContain('Herald has sent it as');
    scene.files.tree[LEDGER_FILE] = '';
    expect((await send(scene)).stderr).toContain('has the same name already');
    expect(await createsSent(scene)).toBe(1);
  });

  it('that got no answer is found again by a draft of the name, and not sent twice', async () => {
    const { scene, names } = late(filesFor(raw, drafted));
    expect((await ask(scene)).code).toBe(3);
    const sent = await send(scene);
    await scene.clock.sleep(100_000);
    const again = await send(scene);
    expect(names()).toEqual([raw]);
    expect(`${sent.stderr}${again.stderr}`).not.toContain('other content');
    expect(scene.files.tree[LEDGER_FILE]).not.toContain('"outcome":"absent"');
    // What the raw call has made is taken for what was to be sent, once.
    expect([sent.code, again.code]).toEqual([0, 5]);
  });

  it('that got no answer is not sent a second time in the other form', async () => {
    const { scene, names } = late(filesFor(raw, drafted));
    expect((await ask(scene)).code).toBe(3);
    const again = await ask(scene, 'other.json');
    expect([again.code, again.stderr]).toEqual([
      3,
      expect.stringContaining('An earlier request is unconfirmed'),
    ]);
    await scene.clock.sleep(100_000);
    expect(names()).toEqual([raw]);
  });
});

it('an unconfirmed create with its name in the other form is found in a ledger of an earlier version', async () => {
  const { scene, names } = late(filesFor(TWO, ONE));
  await ask(scene);
  const lines = scene.files.tree[LEDGER_FILE] ?? '';
  scene.files.tree[LEDGER_FILE] = lines.replaceAll(`"name":"${ONE}"`, `"name":"${TWO}"`);
  expect(scene.files.tree[LEDGER_FILE]).toContain(`"name":"${TWO}"`);
  expect((await ask(scene, 'other.json')).code).toBe(3);
  await send(scene);
  await scene.clock.sleep(100_000);
  expect(names()).toEqual([TWO]);
});

describe('an object with its name in the other form', () => {
  it('is the one that a file declares', async () => {
    const files = declaring({ campaigns: [campaign({ name: ONE })], broadcasts: [broadcast({ name: ONE })] });
    const scene = aScene({ files });
    await scene.service((control) => {
      control.seedCampaign('101', { name: TWO, messages: [{ text: 'Hey' }] });
      control.seedBroadcast('101', {
        name: TWO,
        messages: [{ text: 'Tomorrow' }],
        scheduled_at: '2026-06-01T15:00:00Z',
      });
    });
    const { plan } = await planned(scene);
    expect(decisions({ plan })).toEqual([]);
    expect(outcomes(await applied(scene))).toEqual([]);
    expect(await createsSent(scene)).toBe(0);
  });

  it('is changed like any other', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign({ name: ONE })] }) });
    await scene.service((control) => control.seedCampaign('101', { name: TWO, messages: [{ text: 'Old' }] }));
    expect(outcomes(await applied(scene, '--allow', 'adopt'))).toEqual(['replace applied']);
    expect(await liveOn(scene, '101', 'campaign')).toMatchObject([
      { name: TWO, status: 'paused' },
      { name: ONE, status: 'active', text: 'Hey' },
    ]);
    expect(outcomes(await applied(scene))).toEqual([]);
  });

  it('is imported, and then unchanged', async () => {
    const scene = aScene();
    await scene.service((control) => control.seedCampaign('101', { name: TWO }));
    expect((await scene.herald('import', '--account', 'alice')).code).toBe(0);
    expect(decisions(await planned(scene))).toEqual([]);
  });

  it('is stopped by hand on record, so that no apply starts it again', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign({ name: ONE })] }) });
    const id = await scene.service(
      (control) => control.seedCampaign('101', { name: TWO, messages: [{ text: 'Hey' }] }).id,
    );
    const path = ['--param', 'account_id=101', '--param', `campaign_id=${id}`, '--yes'];
    scene.files.tree['stop.json'] = '{"status":"paused"}';
    await scene.herald('api', 'campaigns.set-status', ...path, '--body', 'stop.json');
    expect(scene.files.tree[LEDGER_FILE]).toContain(`"name":"${ONE}"`);
    expect(decisions(await planned(scene))).toEqual([`blocked alice/campaign/${ONE}`]);
  });
});

it('a broadcast without a name is shown with its text, in any form', async () => {
  const scene = aScene({ files: declaring({ broadcasts: [broadcast({ name: ONE })] }) });
  await scene.service((control) => control.seedBroadcast('101', { name: TWO, messages: [{ text: TWO }] }));
  const { plan } = await planned(scene);
  expect(plan.diagnostics.map(({ code }) => code)).toContain('text-as-name');
});
