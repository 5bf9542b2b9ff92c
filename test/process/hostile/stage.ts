import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { heraldHere } from '../../helpers/herald-here.ts';
import type { RealHerald } from '../../helpers/real-herald.ts';
import type { Ran } from '../../helpers/scene.ts';
import { serveWorld } from '../../helpers/served.ts';
import { aProxy, listening, tlsInFrontOf } from '../proxies.ts';
import { writeFiles } from '../../helpers/folders.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

/** What CI has in its environment. All are looked for in everything that a run prints, writes or sends. */
export const SECRETS = {
  HERALD_API_KEY: 'key-6f1d0c52aa77',
  HERALD_GITLAB_TOKEN: 'GLpat-51c0ffee77',
  AWS_SECRET_ACCESS_KEY: 'aws-93be71c4d508',
};

/** The host of the attacker as files name it; what is sent there goes through a tunnel of `HTTPS_PROXY`. */
export const ATTACKER = 'https://service.test';

/** The workspace that the pull request changes. */
export const HONEST = `version: 1
accounts:
  alice: { id: "101", vars: { first_name: Alice } }
files: ["live/*.yaml"]
`;

export type Stage = Awaited<ReturnType<typeof aStage>>;

type Run = (args: readonly string[], env: Readonly<Record<string, string>>) => Promise<Ran>;

/** Processor time, to which a busy machine does not add. A run that takes longer is ended, and its exit code is -1. */
const WORK_SEC_MAX = 10;
/** A run that waits for something, such as a pipe, is ended too. */
export const WAIT_MS_MAX = 120_000;

/** One checkout of the pull request in CI: the workspace, what is next to it, the service and the attacker's host. */
export async function aStage(herald: RealHerald) {
  const root = temporaryFolder();
  /** The workspace. */
  const directory = join(root, 'workspace');
  /** A folder next to it, with files of someone else; it is the home directory, too. */
  const outside = join(root, 'outside');
  writeFiles(directory, { 'herald.yaml': HONEST });
  writeFiles(outside, {
    '.bashrc': '# mine\n',
    'private.txt': 'a private text\n',
    'private.yaml': 'private_word: 1\n',
    'private.jpg': Buffer.from('ffd8ffe000104a46494600ffd9', 'hex'),
  });

  const served = await serveWorld({ keys: [{ key: SECRETS.HERALD_API_KEY, permissions: 'all' }] });
  /** The requests and tunnels that came to the attacker. */
  const arrived: string[] = [];
  const attacker = await listening(
    createServer((request, response) => {
      arrived.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
      response.end('{}');
    }),
  );
  const redirecting = await listening(
    createServer((request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${attacker.port}${request.url}` }).end();
    }),
  );
  const tls = await tlsInFrontOf(attacker.port);
  const proxy = await aProxy(tls.port);

  const environment = (env: Readonly<Record<string, string>>) => ({
    HOME: outside,
    XDG_CONFIG_HOME: join(outside, '.config'),
    HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
    ...SECRETS,
    ...env,
  });
  const told = (ran: Ran) => {
    arrived.push(...proxy.asked.splice(0).map(({ to }) => `tunnel to ${to}`));
    return ran;
  };
  let pinned: string = served.env.HERALD_BASE_URL;
  /** Runs one command in this process. */
  const run: Run = async (args, env) => told(await heraldHere(directory, { args, env: environment(env) }));
  /** The same in a process of its own, which is killed when it works or waits too long. */
  const runAlone: Run = async (args, env) => {
    const process = herald.start(directory, args, environment(env), { workSecMax: WORK_SEC_MAX });
    const bell = setTimeout(() => process.kill('SIGKILL'), WAIT_MS_MAX);
    const ran = await process.ran;
    clearTimeout(bell);
    return told(ran);
  };
  return {
    directory,
    outside,
    served,
    arrived,
    run,
    runAlone,
    /** From now on HERALD_BASE_URL leads to a gateway that redirects every request to the attacker. */
    redirect: () => void (pinned = `http://127.0.0.1:${redirecting.port}`),
    /** Where HERALD_BASE_URL leads. */
    pinned: () => pinned,
    write: (path: string, text: string) => writeFiles(directory, { [path]: text }),
    close: async () => {
      await Promise.all([proxy, tls, attacker, redirecting, served].map((one) => one.close()));
    },
  };
}

/** Each file of a folder with its content, its kind and when it was changed; links are not followed. */
export function snapshot(folder: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    const { mtimeMs, mode } = lstatSync(path);
    const content = lstatSync(path).isFile() ? readFileSync(path, 'latin1') : '';
    found[name] = `${mode.toString(8)} ${mtimeMs} ${content}`;
    if (!lstatSync(path).isDirectory()) continue;
    for (const [below, state] of Object.entries(snapshot(path))) found[`${name}/${below}`] = state;
  }
  return found;
}
