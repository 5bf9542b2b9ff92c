import { expect, it } from 'vitest';
import { campaign } from '../helpers/declare-live.ts';
import { anEmptyScene, fileOf } from '../helpers/imports.ts';

const PATHS = ['campaigns/a.yaml', 'campaigns/b.yaml'] as const;

function declaredAs(name: string, trigger: string): string {
  const campaigns = [campaign({ name, trigger, messages: [{ text: `I am ${name}` }] })];
  return JSON.stringify({ accounts: ['alice'], campaigns }, null, 2);
}

it('import --update does not write over what a person wrote into a file while it was frozen', async () => {
  const scene = anEmptyScene({
    'campaigns/a.yaml': declaredAs('A', 'welcome_message'),
    'campaigns/b.yaml': declaredAs('B', 'expired_subscription'),
  });
  const first = await scene.herald('apply', '--yes');
  expect(first.code, first.stderr).toBe(0);
  await scene.service((control, world) => {
    for (const { live } of Object.values(world.accounts['101']?.campaigns ?? {}))
      control.editCampaign('101', live.id, { messages: [{ text: `Edited ${live.name ?? ''}` }] as never });
  });
  let isOver = false;
  scene.files.onWrite = (path) => {
    const other = PATHS.find((one) => one !== path);
    if (!isOver && path.startsWith('campaigns/') && other !== undefined) {
      isOver = true;
      scene.clock.move(4 * 3_600_000);
      scene.files.tree[other] = `# An hour of work\n${fileOf(scene, other)}`;
    }
    return 'done';
  };
  const ran = await scene.herald('import', '--update');
  expect([isOver, ran.code], ran.stderr).toEqual([true, 5]);
  expect(ran.stderr).toContain('campaigns/b.yaml changed while Herald was at work');
  expect(fileOf(scene, 'campaigns/b.yaml')).toContain('# An hour of work');
  const again = await scene.herald('import', '--update');
  expect(again.code, again.stderr).toBe(0);
  expect(PATHS.map((path) => fileOf(scene, path).includes('Edited'))).toEqual([true, true]);
});
