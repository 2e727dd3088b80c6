// After player.js: a picture becomes the player when the reader asks for it; code can be copied.
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Put the player in the place of a picture. @param {HTMLElement} figure */
function open(figure, asked) {
  const picture = figure.querySelector("img, .player-still");
  const home = make("div");
  picture.replaceWith(home);
  const player = mount(home, JSON.parse(figure.dataset.scene), { autoplay: !asked });
  if (!asked) return;
  player.play();
  home.querySelector("canvas").focus({ preventScroll: true });
}

for (const figure of document.querySelectorAll("figure.player")) {
  if ("play" in figure.dataset && !still.matches) {
    new IntersectionObserver((seen, watch) => {
      if (!seen.some((each) => each.isIntersecting)) return;
      watch.disconnect();
      open(figure, false);
    }).observe(figure);
    continue;
  }
  const picture = figure.querySelector("img");
  if (JSON.parse(figure.dataset.scene).length === 1) continue; // a still life
  const button = make("button", { type: "button", class: "player-still", title: "Play" });
  picture.replaceWith(button);
  button.append(picture, make("span", { "aria-hidden": "true" }, "▶"));
  button.setAttribute("aria-label", `Play: ${picture.alt}`);
  button.addEventListener("click", () => open(figure, true));
}

for (const block of document.querySelectorAll("div.highlight")) {
  const code = block.querySelector("pre");
  const button = make("button", { type: "button", class: "copy-code" }, "Copy");
  const commands = [...code.textContent.matchAll(/^\$ (.*(?:\n> ?.*)*)/gm)];
  const python = [...code.textContent.matchAll(/^(?:>>>|\.\.\.) ?(.*)$/gm)];
  button.setAttribute("aria-label", commands.length ? "Copy the commands" : "Copy the code");
  button.addEventListener("click", async () => {
    const text = commands.length
      ? commands.map((each) => each[1].replace(/\n> ?/g, "\n")).join("\n")
      : python.length ? python.map((each) => each[1]).join("\n") : code.textContent.trimEnd();
    button.textContent = (await copy(`${text}\n`)) ? "Copied" : "Not allowed";
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  block.append(button);
}

// The front page: a card asks its question in the place of the first pattern; the search is loaded with it.
const front = document.querySelector(".front");
for (const link of front ? document.querySelectorAll(".front figcaption a, a.card") : []) {
  const isCard = link.classList.contains("card");
  if (!isCard) link.textContent = "Change the question";
  link.addEventListener("click", async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    document.querySelector(".card[aria-current]")?.removeAttribute("aria-current");
    if (isCard) link.setAttribute("aria-current", "true");
    const search = await import("../try/front.js").catch(() => null);
    search ? await search.open(link.href, isCard) : location.assign(link.href);
  });
}
