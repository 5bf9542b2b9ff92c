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
