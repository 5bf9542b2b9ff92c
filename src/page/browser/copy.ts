/** A page from the disk may not have a clipboard; then there is nothing to click. */
export function copyOnClick(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('.copy')) {
    if (typeof navigator.clipboard === 'undefined') {
      button.remove();
      continue;
    }
    button.addEventListener('click', () => {
      const command = button.previousElementSibling?.textContent ?? '';
      navigator.clipboard.writeText(command.trim()).then(
        () => {
          button.textContent = 'Copied';
        },
        () => {
          button.textContent = 'Not copied';
        },
      );
    });
  }
}
