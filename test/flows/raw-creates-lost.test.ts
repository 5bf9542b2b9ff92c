import { afterEach, describe, expect, it, vi } from 'vitest';
import type { World } from '../../src/simulator/world.ts';
import { altered } from '../helpers/altered.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, messages, outcomes } from '../helpers/flows.ts';
import { LEDGER_FILE, type Scene } from '../helpers/scene.ts';

afterEach(() => vi.unstubAllGlobals());

const RESET = Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET' });
/** Longer than the settle window. */
const LONG_MS = 100_000;
const NOTHING_DECLARED = { 'live/all.yaml': 'accounts: [alice]\nbroadcasts: []\n' };
const AT_ONCE = { name: 'Flash sale', messages: [{ text: 'Only today' }], audience_filters: [] };
const HEY = {
  name: 'Welcome',
  trigger: 'welcome_message',
  action: 'send_message',
  messages: [{ text: 'Hey' }],
};

/** The service makes what the first request asks for, and its answer is lost. */
function losing(body: object, files: Readonly<Record<string, string>> = {}) {
  let isFirst = true;
  return altered(
    async (request, answer) => {
      const answered = await answer();
      if (request.method === 'GET' || !isFirst) return answered;
      isFirst = false;
      throw RESET;
    },
    { files: { 'body.json': JSON.stringify(body), ...NOTHING_DECLARED, ...files } },
  );
}

const ask = (scene: Scene, operation = 'broadcasts.create') =>
  scene.herald('api', operation, '--account', 'alice', '--body', 'body.json', '--yes');

async function lostCall(scene: Scene, operation?: string): Promise<void> {
  expect((await ask(scene, operation)).code).toBe(3);
  await scene.clock.sleep(LONG_MS);
}

const idsIn = (world: World) => Object.keys(world.accounts['101']?.broadcasts ?? {});
const linesOf = (scene: Scene) => scene.files.tree[LEDGER_FILE] ?? '';

/** As Herald wrote an at-once create before: without its content. */
function forgetContent(scene: Scene): void {
  const lines = linesOf(scene)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
    .map((line) => JSON.stringify('wanted' in line ? { ...line, wanted: null } : line));
  scene.files.tree[LEDGER_FILE] = `${lines.join('\n')}\n`;
}

describe('a raw create at once that got no answer', () => {
  it('is found by its content', async () => {
    const { scene, world } = losing(AT_ONCE);
    await lostCall(scene);
    const run = await scene.herald('apply', '--yes');
    expect(run.code).toBe(0);
    expect(run.stderr).toContain(`may have created ${idsIn(world)[0]}, which Herald adopts`);
    expect(linesOf(scene)).toContain('"outcome":"adopted"');
    expect(linesOf(scene)).not.toContain('"outcome":"absent"');
    expect((await scene.herald('ledger', 'check')).code).toBe(0);
  });

  it('did not succeed where nothing is new', async () => {
    const { scene } = altered(
      async ({ method }, answer) => {
        if (method === 'GET') return answer();
        throw RESET;
      },
      { files: { 'body.json': JSON.stringify(AT_ONCE), ...NOTHING_DECLARED } },
    );
    await lostCall(scene);
    expect((await scene.herald('apply', '--yes')).stderr).toContain('did not succeed');
    expect(linesOf(scene)).toContain('"outcome":"absent"');
  });
});

describe('a create of which the ledger does not have the content', () => {
  it('stays open next to something new of its name, until a person closes it', async () => {
    const { scene, world } = losing(AT_ONCE);
    await lostCall(scene);
    forgetContent(scene);
    const [id = ''] = idsIn(world);
    const run = await scene.herald('apply', '--yes');
    expect(run.stderr).toContain(`may have created ${id}`);
    expect(run.stderr).not.toContain('other content');
    expect(linesOf(scene)).not.toContain('"outcome":"absent"');
    const again = await ask(scene);
    expect([again.code, idsIn(world)]).toEqual([3, [id]]);
    const [, entry = ''] = /herald ledger close (\S+) --because/.exec(run.stderr) ?? [];
    expect(again.stderr).toContain(`herald ledger close ${entry} --because`);
    const closed = await scene.herald('ledger', 'close', entry, '--because', 'It went out', '--yes');
    expect([closed.code, closed.stderr]).toEqual([0, expect.anything()]);
    expect((await scene.herald('plan')).stderr).not.toContain('Unconfirmed');
  });

  it('did not succeed where nothing is new', async () => {
    const { scene, world } = losing(AT_ONCE);
    await lostCall(scene);
    forgetContent(scene);
    delete world.accounts['101']?.broadcasts[idsIn(world)[0] ?? ''];
    world.accounts['101']?.broadcastOrder.splice(0);
    expect((await scene.herald('apply', '--yes')).stderr).toContain('did not succeed');
  });

  it('blocks a create of its words under another name', async () => {
    const { scene, world } = losing(HEY);
    await lostCall(scene, 'campaigns.create');
    forgetContent(scene);
    for (const { live } of Object.values(world.accounts['101']?.campaigns ?? {}))
      live.messages = live.messages.map((message) => ({ ...message, text: 'Edited' }));
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ name: 'Hello' })] }));
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([5, ['blocked not_attempted']]);
    expect(messages(run)).toContain('The ledger does not have the content that was sent');
    expect(messages(run)).toContain('herald ledger close');
  });
});

it('a create stays open while the content of something new of its name cannot be read', async () => {
  const { scene, world } = losing(AT_ONCE);
  await lostCall(scene);
  const [id = ''] = idsIn(world);
  const made = world.accounts['101']?.broadcasts[id];
  if (made === undefined) throw new Error('nothing was made');
  made.unreadable = true;
  const run = await scene.herald('apply', '--yes');
  expect(run.stderr).toContain(`the content of ${id} cannot be read`);
  expect((await ask(scene)).code).toBe(3);
  made.unreadable = false;
  expect((await scene.herald('apply', '--yes')).stderr).toContain('which Herald adopts');
  expect(idsIn(world)).toEqual([id]);
});
