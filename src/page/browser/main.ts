import { keepAges } from './ages.ts';
import { followZone } from './calendar.ts';
import { copyOnClick } from './copy.ts';
import { filterCards } from './filters.ts';
import { walkMatrix } from './matrix.ts';
import { switchAccounts } from './previews.ts';
import { openForPrint } from './print.ts';
import { readPlan } from './plan.ts';
import { markSection } from './sections.ts';

// Everything here is comfort: without it the page shows all it has to show.
const plan = readPlan();
for (const element of document.querySelectorAll<HTMLElement>('.js')) element.hidden = false;
const accounts = switchAccounts(plan);
filterCards(accounts);
openForPrint();
copyOnClick();
followZone(plan);
walkMatrix();
markSection();
keepAges(plan);
