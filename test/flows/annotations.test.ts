import { expect, it } from 'vitest';
import { aScene } from '../helpers/scene.ts';

const commandsIn = (stderr: string): readonly string[] =>
  stderr.split('\n').filter((line) => line.startsWith('::'));

const BROKEN = `accounts: [alice]
campaigns:
  - name: Welcome
    trigger: welcome_message
    action: send_message
    audience: everyone
    mesages: [{ text: Hey }]
`;

it.each([
  ['validate', []],
  ['validate', ['--format', 'json']],
  ['plan', []],
] as const)('on GitHub: %s annotates an error on its line: %j', async (command, flags) => {
  const scene = aScene({ files: { 'live/a.yaml': BROKEN } });
  Object.assign(scene.env, { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: '/repository' });
  const { stderr } = await scene.herald(command, ...flags);
  expect(commandsIn(stderr)[0]).toMatch(
    /^::error file=ads\/live\/a\.yaml,line=7,col=5,title=unknown-key::.*mesages/,
  );
});

it('elsewhere nothing is annotated, and the line of the file is shown below the finding', async () => {
  const scene = aScene({ files: { 'live/a.yaml': BROKEN } });
  const { stdout, stderr } = await scene.herald('validate');
  expect(commandsIn(stderr)).toEqual([]);
  expect(stdout).toContain('live/a.yaml:7:5: unknown-key: ');
  expect(stdout).toContain('\n  7 |     mesages: [{ text: Hey }]\n    |     ^\n');
  expect((await scene.herald('plan')).stderr).toContain('\n  7 |     mesages: [{ text: Hey }]\n');
});
