/** Marks in the index which section is read. */
export function markSection(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.sections a')];
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        for (const link of links) {
          if (link.hash === `#${target.id}`) link.setAttribute('aria-current', 'true');
          else link.removeAttribute('aria-current');
        }
      }
    },
    { rootMargin: '-20% 0px -70%' },
  );
  for (const section of document.querySelectorAll('main > section')) seen.observe(section);
}
