import { expect } from 'vitest';
import { altered } from './altered.ts';
import type { Scene } from './scene.ts';

const APPLY = ['apply', '--yes'];

export const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
};
export const until = async (isSo: () => boolean) => {
  while (!isSo()) await turns(1);
};
export const answered = (status: number) => new Response('{}', { status });
type Handle = (answer: () => Promise<Response>, about: { body: string; path: string }) => Promise<Response>;

/** `files` one after the other are live; from then on, `on.write` and `on.read` stand between Herald and the service. */
export async function live(...files: readonly Record<string, string>[]) {
  const on: { write?: Handle; read?: Handle } = {};
  const { scene, simulator } = altered(
    async (request, answer) => {
      const handle = request.method === 'GET' ? on.read : on.write;
      if (handle === undefined) return answer();
      return handle(answer, { body: await request.clone().text(), path: new URL(request.url).pathname });
    },
    { files: files[0] ?? {} },
  );
  // Loads the code of both commands: no time passes with that.
  await scene.herald('campaigns', 'pause', 'alice/campaign/Other', '--yes');
  await scene.herald('broadcasts', 'pause', 'alice/broadcast/Other', '--yes');
  for (const tree of files) {
    Object.assign(scene.files.tree, tree);
    expect((await scene.herald(...APPLY)).code).toBe(0);
    scene.clock.move(120_000);
  }
  const account = simulator.world.accounts['101'];
  const all = () => Object.values({ ...account?.campaigns, ...account?.broadcasts }).map((one) => one.live);
  return {
    scene,
    simulator,
    on,
    id: () => all()[0]?.id ?? '',
    statuses: () => all().map(({ status }) => status),
    person: (status: string, id = all()[0]?.id ?? '') =>
      simulator.control.editCampaign('101', id, { status }),
  };
}

/** An apply that is gone as soon as its first request is on record: before it is sent, or after it was carried out. */
export async function startAndDie(scene: Scene, when: 'before' | 'after' = 'before') {
  const last = when === 'before' ? 'begin' : 'end';
  let isThere = false;
  const onRecord = (what: string) => {
    isThere ||= what === last;
    return what !== last ? 'done' : when === 'before' ? 'frozen after' : 'frozen';
  };
  const apply = scene.startAs({ onRecord }, ...APPLY);
  await until(() => isThere);
  await turns(20);
  apply.kill();
}
