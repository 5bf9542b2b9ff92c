import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const saying = (text: string) => campaign({ messages: [{ text }] });

/** A scene with a reviewed plan, `reviewed.json`, of one campaign. */
async function reviewedPlan(text: string): Promise<Scene> {
  const scene = aScene({ files: declaring({ campaigns: [saying(text)] }) });
  expect((await scene.herald('plan', '--out', 'reviewed.json')).code).toBe(0);
  return scene;
}

describe('apply --reviewed shows what is not as reviewed', () => {
  it.each([
    {
      what: 'a short text',
      reviewed: 'As reviewed',
      edited: 'As edited',
      shows: '    messages[0].text: "As reviewed" → "As edited"\n',
    },
    {
      what: 'a long text, word by word',
      reviewed: 'Hello my dear friend, how are you on this fine morning in spring?',
      edited: 'Hello my good friend, how are you on this fine morning in spring?',
      shows:
        '    messages[0].text:\n      ~ Hello my [-dear-]{+good+} friend, how are you on this fine morning in spring?\n',
    },
  ])('$what', async ({ reviewed, edited, shows }) => {
    const scene = await reviewedPlan(reviewed);
    Object.assign(scene.files.tree, declaring({ campaigns: [saying(edited)] }));
    const ran = await scene.herald('apply', '--yes', '--reviewed', 'reviewed.json');
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain(`Not as reviewed:\n~ alice/campaign/Welcome: create\n${shows}`);
  });

  it('the value of a variable', async () => {
    const scene = await reviewedPlan('Hey, {{first_name}} is here');
    scene.files.tree['herald.yaml'] = (scene.files.tree['herald.yaml'] ?? '').replace('Alice', 'Alina');
    const ran = await scene.herald('apply', '--yes', '--reviewed', 'reviewed.json');
    expect(ran.stderr).toContain('messages[0].text: "Hey, Alice is here" → "Hey, Alina is here"');
  });
});
