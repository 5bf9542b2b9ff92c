import { showAge } from './age.ts';
import { copyOnClick } from './copy.ts';
import { filterCards } from './filters.ts';
import { switchAccounts } from './previews.ts';
import { openForPrint } from './print.ts';

// Everything here is comfort: without it the page shows all it has to show.
for (const element of document.querySelectorAll<HTMLElement>('.js')) element.hidden = false;
const accounts = switchAccounts();
filterCards(accounts);
openForPrint();
copyOnClick();
showAge();
