import { expect, it } from 'vitest';
import { aScene, type Scene } from '../helpers/scene.ts';

/** What the tour does: words for the reader, and commands with an output that is shown below them. */
type Part = string | Run;

interface Run {
  /** One or more commands, of which the outputs follow each other. */
  readonly run: readonly (readonly string[])[];
  /** What a person changes before it. */
  readonly edit?: Readonly<Record<'path' | 'from' | 'to', string>>;
}

const PAGE = '../../docs/tour.md';

const TOUR: readonly Part[] = [
  '# A tour',
  'A first workspace, from nothing to a clean history. The outputs below are real, on a terminal of 80 columns. Everything happens on the embedded simulator, so no fan gets a message. [Install Herald](../README.md#install) first: from a checkout, `npm ci && npm install --global .`.',
  '## Create a workspace',
  '`herald init` writes a campaign and a broadcast for one account. `herald validate` checks the files, without network and key.',
  { run: [['init'], ['validate']] },
  '## Create what the files declare',
  '`herald plan` compares the files with the service. It changes nothing.',
  { run: [['plan']] },
  '`herald apply` plans again, shows the plan, asks, and carries it out. With `--yes` you agree before, so only its last lines are shown.',
  { run: [['apply', '--yes']] },
  '## Change a text',
  'The service cannot update a campaign. So a new text is a replace: Herald pauses the old version and creates a new one. Change one word, and look at the plan.',
  {
    edit: { path: 'campaigns/welcome.yaml', from: 'So good to have', to: 'Lovely to have' },
    run: [['plan']],
  },
  { run: [['apply', '--yes']] },
  '## Find a change that someone made',
  'Someone pauses the campaign. Here a command does it, in place of a click in the service.',
  { run: [['campaigns', 'pause', 'alice/campaign/Welcome', '--yes']] },
  '`herald drift` shows what differs now. Its exit code is 2 if something does.',
  { run: [['drift']] },
  '## Keep it, and look back',
  'Write the pause into the file. The state knows each version of the campaign, and who made it.',
  {
    run: [
      ['import', '--update'],
      ['history', 'alice/campaign/Welcome'],
    ],
  },
  'Next: [move to the real service](guides/first-workspace.md#move-to-the-service), or [import what is live](guides/import.md).',
];

it('the tour shows what the commands print', async () => {
  const scene = aScene({ who: 'ana' });
  for (const path of Object.keys(scene.files.tree)) delete scene.files.tree[path];
  scene.columns = 80;
  const parts: string[] = [];
  for (const part of TOUR) parts.push(await written(scene, part));
  await expect(`${parts.join('\n\n')}\n`).toMatchFileSnapshot(PAGE);
});

async function written(scene: Scene, part: Part): Promise<string> {
  if (typeof part === 'string') return wrapped(part);
  const lines = part.edit === undefined ? [] : [edited(scene, part.edit)];
  const outputs: string[] = [];
  for (const words of part.run) {
    const [name] = words;
    const command = `herald ${words.join(' ')}`;
    const { code, stdout, stderr } = await scene.herald(...words);
    // A drift is not an error, but a shell takes its exit code for one.
    expect(code, `${command}: ${stderr}`).toBe(name === 'drift' ? 2 : 0);
    lines.push(code === 0 ? command : `${command} || echo "exit code $?"`);
    // A plan is a result, followed by the next step. Other commands show their plan before their result.
    const [first, then] = name === 'plan' ? [stdout, stderr] : [stderr, stdout];
    outputs.push(`${first}${then}`.trimEnd() + (code === 0 ? '' : `\nexit code ${code}`));
  }
  const output = outputs.join('\n');
  for (const line of output.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
  return `${fence('sh', lines.join('\n'))}\n\n${fence('text', output)}`;
}

/** Changes the file, and gives the command that does the same. */
function edited(scene: Scene, { path, from, to }: NonNullable<Run['edit']>): string {
  const before = scene.files.tree[path] ?? '';
  expect(before).toContain(from);
  scene.files.tree[path] = before.replace(from, to);
  return `sed -i.old 's/${from}/${to}/' ${path}`;
}

function fence(kind: string, text: string): string {
  return `\`\`\`${kind}\n${text}\n\`\`\``;
}

/** As the formatter writes it: at most 120 columns. */
function wrapped(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > 120) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.join('\n');
}
