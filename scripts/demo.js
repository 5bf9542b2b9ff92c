import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';

/**
 * The whole flow in one terminal. An agency's campaigns, declared in files, go live on the simulator. A person edits one
 * by hand, `drift` shows the changed text, and `apply` fixes it.
 */
const HERALD = new URL('../dist/bin/cli.js', import.meta.url).pathname;
const workspace = mkdtempSync(join(tmpdir(), 'herald-demo-'));
// Only the simulator, whatever service this terminal works with.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HERALD_')));
cpSync(new URL('../examples/agency', import.meta.url), workspace, { recursive: true });

try {
  tell('An agency with three accounts keeps its campaigns in git. First: are the files valid?');
  herald(0, 'validate');
  tell('What would happen? A plan only reads.');
  herald(0, 'plan');
  tell('The plan is right, so apply it. Each new campaign is live immediately.');
  herald(0, 'apply', '--yes', '--quiet');
  tell('Is there anything left to do?');
  herald(0, 'plan');
  tell('Someone edits the live welcome message of alice by hand …');
  editByHand();
  tell('… and drift shows what changed. Its exit code is 2, for CI.');
  herald(2, 'drift');
  tell('The service cannot update a campaign. So apply pauses the edited one, and creates the declared one.');
  herald(0, 'apply', '--yes', '--quiet');
  tell('Live and declared are the same again.');
  herald(0, 'drift');
  tell('That is the whole flow: validate, plan, apply, drift. Next: `npx herald-campaigns init my-agency`.');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(workspace, { recursive: true, force: true });
}

function tell(text) {
  console.log(`\n${paint(['bold', 'cyan'], `# ${text}`)}`);
}

function paint(format, text) {
  return process.stdout.isTTY && !process.env['NO_COLOR'] ? styleText(format, text) : text;
}

function herald(expected, ...args) {
  const command = `herald ${args.join(' ')}`;
  console.log(paint('bold', `$ ${command}`));
  const { status } = spawnSync(process.execPath, [HERALD, ...args], {
    cwd: workspace,
    env,
    stdio: 'inherit',
  });
  if (status !== expected) throw new Error(`${command} ended with ${status} instead of ${expected}`);
}

/** What a person on the service's own web page would do. The file is the simulator's world. */
function editByHand() {
  const path = join(workspace, '.herald/world.json');
  const world = readFileSync(path, 'utf8');
  const welcome = 'so glad that you found your way to the Lisbon studio';
  if (!world.includes(welcome)) throw new Error(`${path} does not have "${welcome}"`);
  writeFileSync(path, world.replace(welcome, welcome.replace('so glad', 'thrilled')));
  console.log('  "so glad" became "thrilled"');
}
