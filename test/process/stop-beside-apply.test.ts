import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyReportShape } from '../../src/domain/change.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { documentOf, messages } from '../helpers/flows.ts';
import { heraldHere } from '../helpers/herald-here.ts';
import { builtHerald, type RealHerald } from '../helpers/real-herald.ts';
import { WORKSPACE } from '../helpers/scene.ts';
import { serveWorld } from '../helpers/served.ts';

let herald: RealHerald;
beforeAll(() => {
  herald = builtHerald();
});
afterAll(() => herald.dispose());

const JSON_APPLY = ['apply', '--yes', '--allow', 'adopt', '--format', 'json'];

describe('herald campaigns pause next to an apply in a process of its own', () => {
  it('stops the campaign at once, and the apply does not switch it on after that', async () => {
    const served = await serveWorld();
    try {
      const { control } = served.simulator;
      control.seedCampaign('101', { id: '77', name: 'Welcome', messages: [{ text: 'Hey' }] });
      const off = declaring({ campaigns: [campaign({ status: 'paused' })] });
      const directory = herald.workspace({ 'herald.yaml': WORKSPACE, ...off });
      expect((await heraldHere(directory, { args: JSON_APPLY, env: served.env })).code).toBe(0);

      const on = declaring({ campaigns: [campaign(), campaign({ name: 'New', messages: [{ text: 'N' }] })] });
      for (const [path, text] of Object.entries(on)) writeFileSync(join(directory, path), text);
      control.addFault({ kind: 'slow', operation: 'campaigns.create', delay_ms: 2_000 });
      const apply = herald.start(directory, JSON_APPLY, served.env);
      await served.arrival('campaigns.create');
      const words = ['campaigns', 'pause', '77', '--account', 'alice', '--yes'];
      const stop = await heraldHere(directory, { args: words, env: served.env });
      expect(stop.code, stop.stderr).toBe(0);
      const ran = await apply.ran;
      expect(ran.code, ran.stderr).toBe(4);
      expect(messages({ report: documentOf(ran, applyReportShape) })).toContain(
        'stopped it with "campaigns pause" meanwhile',
      );
      expect(served.simulator.world.accounts['101']?.campaigns['77']?.live.status).toBe('paused');
    } finally {
      await served.close();
    }
  });
});
