// A monitor for notebooks: one line that says how far something is, and a button that stops it.
// When it is over, the result takes their place; it is HTML that satlife.show.card has written.

/** @typedef {{get: (name: string) => any, on: (name: string, act: () => void) => void, send: (message: any) => void}} Model */

export default {
  /** @param {{model: Model, el: HTMLElement}} context */
  render({ model, el }) {
    const box = document.createElement("div");
    box.className = "satlife-monitor";
    el.append(box);
    const line = document.createElement("span");
    line.setAttribute("role", "status");
    const stop = document.createElement("button");
    stop.type = "button";
    stop.textContent = "Stop";
    stop.addEventListener("click", () => {
      stop.disabled = true;
      model.send("stop");
    });
    function update() {
      line.textContent = model.get("text");
      if (model.get("running")) box.replaceChildren(line, stop);
      else box.innerHTML = model.get("html");
    }
    for (const name of ["text", "html", "running"]) model.on(`change:${name}`, update);
    update();
  },
};
