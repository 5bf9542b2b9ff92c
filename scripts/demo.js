import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The whole flow in one terminal. An agency's campaigns, declared in files, go live on the simulator. A person edits one
 * by hand, `drift` shows the changed text, and `apply` fixes it.
 */
const HERALD = new URL('../dist/bin/cli.js', import.meta.url).pathname;
const workspace = mkdtempSync(join(tmpdir(), 'herald-demo-'));
const paint =
  process.stdout.isTTY && !process.env['NO_COLOR']
    ? (code, text) => `\u001b[${code}m${text}\u001b[0m`
    : (_, text) => text;

cpSync(new URL('../examples/agency', import.meta.url), workspace, { recursive: true });
const simulator = await startSimulator();
const env = { ...process.env, HERALD_BASE_URL: simulator.url, HERALD_API_KEY: 'sim-key' };

let failed = false;
try {
  tell('An agency with three accounts keeps its campaigns in git. First: are the files valid?');
  await herald(0, 'validate');
  tell('What would happen? A plan only reads.');
  await herald(0, 'plan');
  tell('The plan is right, so apply it. Each new campaign is live immediately.');
  await herald(0, 'apply', '--yes', '--quiet');
  tell('Is there anything left to do?');
  await herald(0, 'plan');
  tell('Someone edits the live welcome message of alice by hand …');
  await editByHand();
  tell('… and drift shows what changed. Its exit code is 2, for CI.');
  await herald(2, 'drift');
  tell('The service cannot update a campaign. So apply pauses the edited one, and creates the declared one.');
  await herald(0, 'apply', '--yes', '--quiet');
  tell('Live and declared are the same again.');
  await herald(0, 'drift');
  tell('That is the whole flow: validate, plan, apply, drift. Next: `npx herald-campaigns init my-agency`.');
} catch (error) {
  failed = true;
  console.error(error.message);
} finally {
  simulator.stop();
  rmSync(workspace, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

function tell(words) {
  console.log(`\n${paint('1;36', `# ${words}`)}`);
}

async function herald(expected, ...args) {
  console.log(paint('1', `$ herald ${args.join(' ')}`));
  const code = await new Promise((resolve) => {
    spawn(process.execPath, [HERALD, ...args], { cwd: workspace, env, stdio: 'inherit' }).on(
      'close',
      resolve,
    );
  });
  if (code !== expected)
    throw new Error(`herald ${args.join(' ')} ended with ${code} instead of ${expected}`);
}

/** What a person in the service's own web page would do. */
async function editByHand() {
  const { items } = await call('GET', '/api/v0/accounts/101/auto-message-campaigns');
  const campaign = items.find((candidate) => candidate.name === 'gc/Welcome series');
  const messages = campaign.messages.map(({ step, ...message }) =>
    step === 0 ? { ...message, text: message.text.replace('so glad', 'thrilled') } : message,
  );
  await call('POST', '/__sim/edit', {
    account_id: '101',
    kind: 'campaign',
    id: campaign.id,
    set: { messages },
  });
  console.log(`  "so glad" became "thrilled" in ${campaign.id}`);
}

async function call(method, path, body) {
  const response = await fetch(`${simulator.url}${path}`, {
    method,
    headers: { 'x-svc-auth-token': 'sim-key', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

function startSimulator() {
  const child = spawn(process.execPath, [HERALD, 'simulate', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (piece) => {
      said += piece;
      const url = /http:\/\/[\d.]+:\d+/.exec(said)?.[0];
      if (url !== undefined) resolve({ url, stop: () => child.kill('SIGINT') });
    });
    child.on('close', (code) => reject(new Error(`the simulator ended with ${code}`)));
  });
}
