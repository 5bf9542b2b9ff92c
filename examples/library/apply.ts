import { HeraldError, openWorkspace, renderPlanText } from 'herald-campaigns';

// Plans the workspace in a directory, shows the plan, and applies exactly that plan.
const [directory = '.'] = process.argv.slice(2);
const { HERALD_API_KEY: apiKey = '' } = process.env;
const herald = openWorkspace(directory, {
  apiKey,
  env: process.env,
  onEvent: (event) => {
    if (event.kind === 'applying') console.error(`${event.done} of ${event.total}`);
  },
});

try {
  const reviewed = await herald.plan();
  console.log(renderPlanText(reviewed.plan, { colour: false, width: 80, title: 'plan' }));
  const report = await herald.apply(reviewed);
  for (const { address, outcome } of report.outcomes)
    console.log(`${address.account}/${address.kind}/${address.name}: ${outcome}`);
  process.exitCode = report.exit;
} catch (error) {
  if (!(error instanceof HeraldError)) throw error;
  console.error([error.message, error.hint].join('\n'));
  process.exitCode = error.exit;
} finally {
  await herald.close();
}
