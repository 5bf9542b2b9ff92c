import { expect } from 'vitest';
import { altered } from '../helpers/altered.ts';

const APPLY = ['apply', '--yes'];

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
