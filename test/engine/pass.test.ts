import { expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { engineScene } from './engine-scene.ts';

it('counts what has ended while another account takes longer, and names what is under way', async () => {
  const scene = engineScene(declaring({ campaigns: [campaign()] }, ['alice', 'bob']));
  scene.control.addFault({
    kind: 'slow',
    operation: 'campaigns.create',
    account_id: '101',
    delay_ms: 40_000,
  });
  const lines: string[] = [];
  await scene.apply({
    onEvent: (event) => {
      if (event.kind === 'applying')
        lines.push(`${event.done}/${event.total} ${event.change.address.account}`);
    },
  });
  expect(lines.at(-1)).toBe('1/2 alice');
});

it('begins nothing more once the service refuses the key for the list of a create', async () => {
  const names = ['One', 'Three', 'Two'];
  const campaigns = names.map((name) => campaign({ name, messages: [{ text: name }] }));
  const scene = engineScene(declaring({ campaigns }));
  scene.control.addFault({ kind: 'slow', operation: 'campaigns.create', delay_ms: 40_000, nth: 1 });
  const ended = await scene.apply({
    onEvent: (event) => {
      if (event.kind === 'applying' && event.change.address.name === 'Three')
        scene.control.addFault({ kind: 'refusal', operation: 'campaigns.list', status: 401 });
    },
  });
  expect(ended.map(({ outcome }) => outcome)).toEqual(['applied', 'failed', 'not_attempted']);
});
