import { systemClock } from '../src/host/clock.ts';
import { serveSimulator } from '../src/simulator/serve.ts';
import { createSimulator } from '../src/simulator/simulator.ts';
import { createWorld } from '../src/simulator/world.ts';
import { campaignSeed, shortCampaignSeed } from './campaigns.ts';
import { accountIdOf } from './workspace.ts';

/**
 * The simulator as a process of its own, with strict sliding limits: node scripts/run.js
 * bench/service-server.ts ACCOUNTS CAMPAIGNS_EACH [short] [none]. With `none` it has no limits. It tells its address on
 * stdout and ends when its stdin does.
 */
const [accounts = 1, campaignsEach = 0] = process.argv.slice(2, 4).map(Number);
const seedOf = process.argv[4] === 'short' ? shortCampaignSeed : campaignSeed;
const world = createWorld({
  accounts: Array.from({ length: accounts }, (_, index) => ({ id: accountIdOf(index) })),
});
if (process.argv[5] === 'none') world.modes.rates = 'none';
const simulator = createSimulator(world, { clock: systemClock });
for (let account = 0; account < accounts; account += 1)
  for (let index = 0; index < campaignsEach; index += 1)
    simulator.control.seedCampaign(accountIdOf(account), seedOf(account * campaignsEach + index));
const served = await serveSimulator(simulator, { port: 0 });
console.log(served.url);
process.stdin.resume().on('end', () => process.exit(0));
