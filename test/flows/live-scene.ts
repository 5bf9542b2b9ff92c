import { expect } from 'vitest';
import { altered } from '../helpers/altered.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';

type Tree = Readonly<Record<string, string>>;

export const ACTIVE = declaring({ campaigns: [campaign()] });
export const PAUSED = declaring({ campaigns: [campaign({ status: 'paused' })] });
export const CHANGED = declaring({ campaigns: [campaign({ messages: [{ text: 'Hello' }] })] });
/** Another campaign, next to Welcome. */
export const another = (status = 'active') => campaign({ name: 'B', status, messages: [{ text: 'b' }] });
export const APPLY = ['apply', '--yes'];
export const PAUSE = ['campaigns', 'pause', 'alice/campaign/Welcome', '--yes'];

export const answered = (status: number) => new Response('{}', { status });
type About = Readonly<Record<'path' | 'body', string>>;
type Handle = (answer: () => Promise<Response>, about: About) => Promise<Response>;

/** `files` one after the other are live; from then on, `on` stands between Herald and the service. */
export async function live(...files: readonly Tree[]) {
  const on: { read?: Handle; create?: Handle; write?: Handle } = {};
  const { scene, simulator } = altered(
    async (request, answer) => {
      const path = new URL(request.url).pathname;
      const write = path.endsWith('-campaigns') ? (on.create ?? on.write) : on.write;
      const handle = request.method === 'GET' ? on.read : write;
      if (handle === undefined) return answer();
      return handle(answer, { path, body: await request.clone().text() });
    },
    { files: files[0] ?? {} },
  );
  const apply = (tree: Tree = {}, ...flags: readonly string[]) => {
    Object.assign(scene.files.tree, tree);
    return scene.herald(...APPLY, ...flags);
  };
  // Loads the code of both commands: no time passes with that.
  await scene.herald('campaigns', 'pause', 'alice/campaign/Other', '--yes');
  await scene.herald('broadcasts', 'pause', 'alice/broadcast/Other', '--yes');
  for (const tree of files) {
    expect((await apply(tree)).code).toBe(0);
    scene.clock.move(120_000);
  }
  const account = simulator.world.accounts['101'];
  const all = () => Object.values({ ...account?.campaigns, ...account?.broadcasts }).map((one) => one.live);
  return {
    scene,
    simulator,
    on,
    apply,
    id: () => all()[0]?.id ?? '',
    /** The names of what is active. */
    active: () => all().flatMap(({ name, status }) => (status === 'active' ? [name] : [])),
    statuses: () => all().map(({ status }) => status),
    versions: () => all().map(({ messages: [message], status }) => `${message?.text} ${status}`),
    /** Successful changes of a status. */
    sets: () =>
      simulator.world.requests.filter(({ method, status }) => method === 'PATCH' && (status ?? 0) < 300),
    /** A person changes the status of a campaign, by its id or its name. */
    person: (status: string, which = all()[0]?.id) => {
      const { id = '' } = all().find((one) => one.id === which || one.name === which) ?? {};
      simulator.control.editCampaign('101', id, { status });
    },
    /** The first changes with `text` in them get no answer, carried out or not. */
    lose: (copies: number, { text = '', isCarriedOut = true } = {}) => {
      const seen = { copies: 0 };
      on.write = async (answer, { body, path }) => {
        if (!`${path} ${body}`.includes(text)) return answer();
        seen.copies += 1;
        if (seen.copies > copies) return answer();
        if (isCarriedOut) await answer();
        return answered(502);
      };
      return seen;
    },
    /** Such changes with `text` in them are answered once they are released, or after 40 s. */
    hold: (which: 'create' | 'write', text = '') => {
      const held = { isSeen: false, release: () => undefined as void };
      const released = new Promise<void>((resolve) => (held.release = resolve));
      on[which] = async (answer, { body }) => {
        if (!body.includes(text)) return answer();
        held.isSeen = true;
        await Promise.race([released, scene.clock.sleep(40_000)]);
        return answer();
      };
      return held;
    },
    /** The state is lost, and only what an export has of it comes back. */
    cutState: async () => {
      expect((await scene.herald('state', 'export', 'state.ndjson')).code).toBe(0);
      scene.state.remove();
      expect((await scene.herald('state', 'import', 'state.ndjson')).code).toBe(0);
    },
  };
}
