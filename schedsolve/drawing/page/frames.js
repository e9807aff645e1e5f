// For a page with players in frames: makes each frame as tall as its player, so that none scrolls inside.
addEventListener("message", (event) => {
  const height = Number(event.data?.schedsolveHeight);
  for (const frame of document.querySelectorAll("iframe.player")) {
    if (height > 0 && frame.contentWindow === event.source) {
      frame.style.height = `${height + frame.offsetHeight - frame.clientHeight}px`;
    }
  }
});
