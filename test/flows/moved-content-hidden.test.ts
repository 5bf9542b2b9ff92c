import { describe, expect, it } from 'vitest';
import { FILES_OF_KINDS } from '../helpers/declare-live.ts';
import { applied, liveOn, messages, outcomes } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const said = (name: string, text: string, more: object = {}) => ({ name, messages: [{ text }], ...more });
const BLOCKED = 'blocked not_attempted';
const runs = /The same content runs as "A" \(\d+\)/;

describe.each(FILES_OF_KINDS)('the content of a %s that moves', (kind, _running, files) => {
  const before = async (first: object, ...more: object[]) => {
    const scene = aScene({ files: files(first, said('B', 'bee'), ...more) });
    expect((await applied(scene)).code).toBe(0);
    return scene;
  };
  const idOfA = async (scene: Scene) =>
    (await liveOn(scene, '101', kind)).find(({ name }) => name === 'A')?.id ?? '';
  const declare = (scene: Scene, ...all: object[]) => Object.assign(scene.files.tree, files(...all));

  it('is not sent again while another version of its name runs with it', async () => {
    const scene = await before(said('A', 'one'));
    const first = await idOfA(scene);
    declare(scene, said('A', 'two'), said('B', 'bee'));
    expect((await applied(scene)).code).toBe(0);
    expect((await scene.herald(`${kind}s`, 'recall', first, '--account', 'alice', '--yes')).code).toBe(0);
    scene.clock.move(120_000);
    // A is blocked for the recalled version, which is not the one that runs.
    declare(scene, said('A', 'one'), said('B', 'two'));
    const run = await applied(scene);
    // A broadcast next to a recalled one of its name is stopped.
    const stopped = kind === 'campaign' ? [] : ['retire applied'];
    expect([run.code, outcomes(run)]).toEqual([5, [BLOCKED, ...stopped, BLOCKED]]);
    expect(messages(run)).toMatch(runs);
  });

  it.each([0, 20])('is known again if the service rewrites it %d s after the create', async (seconds) => {
    const scene = aScene({ files: files(said('A', 'Wait...'), said('B', 'bee')) });
    const rewrite = { kind: 'late_rewrite', operation: `${kind}s.create`, from: '...', to: '…' } as const;
    await scene.fault({ ...rewrite, after_sec: seconds });
    expect((await applied(scene)).code).toBe(0);
    scene.clock.move(60_000);
    declare(scene, said('A', 'three'), said('B', 'Wait...'));
    const run = await applied(scene, '--target', 'alice/*/B');
    expect([run.code, messages(run)]).toEqual([5, expect.stringMatching(runs)]);
  });

  it('is known again if the service rewrites it, and something else of the content changes', async () => {
    const scene = aScene({ files: files(said('A', 'Wait...'), said('B', 'bee')) });
    await scene.fault({
      kind: 'late_rewrite',
      operation: `${kind}s.create`,
      after_sec: 0,
      from: '...',
      to: '…',
    });
    expect((await applied(scene)).code).toBe(0);
    const free = { messages: [{ text: 'Wait...', price_gross: 0 }] };
    declare(scene, said('A', 'three'), { name: 'B', ...free });
    expect((await applied(scene, '--target', 'alice/*/B')).code).toBe(5);
  });

  it('is not blocked by a version that a person changed to what its file says now', async () => {
    const scene = await before(said('A', 'one'));
    const id = await idOfA(scene);
    const edit = { messages: [{ text: 'two' }] };
    await scene.service((control) =>
      kind === 'campaign' ? control.editCampaign('101', id, edit) : control.editBroadcast('101', id, edit),
    );
    declare(scene, said('A', 'two'), said('B', 'one'));
    const run = await applied(scene);
    expect([run.code, outcomes(run)], messages(run)).toEqual([0, ['replace applied']]);
  });

  it('is compared with the live version where a start sends that and not the file', async () => {
    const ignore = { ignore: ['messages'] };
    const scene = await before(said('A', 'three'), said('C', 'two'));
    declare(scene, said('A', 'three'), said('B', 'bee'), said('C', 'two', { status: 'paused' }));
    await applied(scene);
    declare(scene, said('A', 'two'), said('B', 'bee'), said('C', 'one', { status: 'paused', ...ignore }));
    expect((await applied(scene)).code).toBe(0);
    declare(scene, said('A', 'two'), said('B', 'bee'), said('C', 'one', ignore));
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([5, [BLOCKED]]);
    expect(messages(run)).toMatch(runs);
    // The same if no file declares A.
    const { tree } = scene.files;
    for (const path of Object.keys(files(said('A', 'two')))) delete tree[path];
    declare(scene, said('B', 'bee'), said('C', 'one', ignore));
    const unmanaged = await applied(scene);
    expect([unmanaged.code, outcomes(unmanaged)]).toEqual([5, [BLOCKED]]);
    expect(messages(unmanaged)).toMatch(/The same content runs as "A" .* If not, stop it: herald/);
  });
});

it('is not sent again next to the object of another person that waits for --allow adopt', async () => {
  const [, , files] = FILES_OF_KINDS[0];
  const scene = aScene({ files: files(said('A', 'one'), said('B', 'bee')) });
  await applied(scene);
  await scene.service((control) =>
    control.seedCampaign('101', {
      name: 'A',
      status: 'active',
      trigger: 'welcome_message',
      action: 'send_message',
      messages: [{ text: 'two' }],
      created_by: { type: 'user', id: '9' },
    }),
  );
  Object.assign(scene.files.tree, files(said('A', 'four'), said('B', 'two')));
  const run = await applied(scene);
  expect([run.code, outcomes(run)]).toEqual([5, [BLOCKED, BLOCKED]]);
  expect(messages(run)).toMatch(runs);
});

it('is known again where a broadcast with it cannot be read', async () => {
  const [, , files] = FILES_OF_KINDS[1];
  const scene = aScene({ files: files(said('A', 'one'), said('B', 'bee')) });
  await applied(scene);
  const first = (await liveOn(scene, '101', 'broadcast')).find(({ name }) => name === 'A')?.id ?? '';
  await scene.service((control) => control.editBroadcast('101', first, { unreadable: true }));
  Object.assign(scene.files.tree, files(said('A', 'three'), said('B', 'one')));
  const run = await applied(scene);
  expect([run.code, outcomes(run)]).toEqual([5, [BLOCKED, BLOCKED]]);
  expect(messages(run)).toMatch(runs);
});
