"use strict";
const bodies = Array.from(document.querySelectorAll("tbody"));
function set(body, open) {
  body.querySelector("button").setAttribute("aria-expanded", String(open));
  body.querySelector(".detail").hidden = !open;
}
for (const body of bodies) {
  body.querySelector("button").addEventListener("click", () => set(body, body.querySelector(".detail").hidden));
}
document.getElementById("open-all").addEventListener("click", () => bodies.forEach(body => set(body, true)));
document.getElementById("close-all").addEventListener("click", () => bodies.forEach(body => set(body, false)));
if (location.hash) { const body = document.querySelector(location.hash); if (body) set(body, true); }
