'use strict';
// Shows one position of a game at a time. What is legal, what moves are called and where they
// lead is in the data; this only draws it.
(() => {
  const games = JSON.parse(document.getElementById('data').textContent);
  const NAMES = { P: 'pawn', N: 'knight', B: 'bishop', R: 'rook', Q: 'queen', K: 'king' };
  const SPACE = document.querySelector('svg').namespaceURI;

  const drawn = (tag, attributes, parent) => {
    const node = document.createElementNS(SPACE, tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    parent.append(node);
    return node;
  };
  const made = (tag, text, className) => {
    const node = document.createElement(tag);
    node.textContent = text;
    if (className) node.className = className;
    return node;
  };

  // The first field of a FEN as a map from squares to names such as wN.
  const men = (board) => {
    const found = new Map();
    board.split('/').forEach((row, down) => {
      let file = 0;
      for (const sign of row) {
        if (sign >= '1' && sign <= '8') { file += Number(sign); continue; }
        const light = sign === sign.toUpperCase();
        found.set('abcdefgh'[file] + (8 - down), (light ? 'w' : 'b') + sign.toUpperCase());
        file += 1;
      }
    });
    return found;
  };

  const spoken = (board) => {
    const sides = { w: [], b: [] };
    for (const [square, name] of men(board)) sides[name[0]].push(`${NAMES[name[1]]} ${square}`);
    return `White: ${sides.w.join(', ')}. Black: ${sides.b.join(', ')}.`;
  };

  class Board {
    constructor(svg) {
      this.svg = svg;
      this.turned = false;
      this.standing = new Map();
      this.layers = ['ground', 'trail', 'names', 'men', 'arrows'].map((name) => drawn('g', { 'data-layer': name }, svg));
      this.ground();
    }

    corner(square) {
      const file = square.charCodeAt(0) - 97;
      const rank = Number(square[1]) - 1;
      return this.turned ? [100 * (7 - file), 100 * rank] : [100 * file, 100 * (7 - rank)];
    }

    ground() {
      const [squares, , names] = this.layers;
      squares.replaceChildren();
      names.replaceChildren();
      for (const file of 'abcdefgh') {
        for (const rank of '12345678') {
          const [x, y] = this.corner(file + rank);
          const shade = (x + y) / 100 % 2 === 0 ? 'l' : 'd';
          const other = shade === 'l' ? 'd' : 'l';
          drawn('rect', { x, y, width: 100, height: 100, class: shade }, squares);
          if (y === 700) drawn('text', { x: x + 84, y: y + 94, class: other }, names).textContent = file;
          if (x === 0) drawn('text', { x: 5, y: y + 22, class: other }, names).textContent = rank;
        }
      }
    }

    turn() {
      this.turned = !this.turned;
      this.ground();
    }

    // Moves what can be moved, so that the eye can follow; the rest comes and goes.
    place(board) {
      const wanted = men(board);
      const before = this.standing;
      this.standing = new Map();
      const spare = [];
      for (const [square, man] of before) {
        if (wanted.get(square) === man.name) this.standing.set(square, man);
        else spare.push(man);
      }
      for (const [square, name] of wanted) {
        if (this.standing.has(square)) continue;
        const known = spare.findIndex((man) => man.name === name);
        const man = known >= 0
          ? spare.splice(known, 1)[0]
          : { name, node: drawn('use', { href: `#${name}` }, this.layers[3]) };
        this.standing.set(square, man);
      }
      spare.forEach((man) => man.node.remove());
      for (const [square, man] of this.standing) {
        const [x, y] = this.corner(square);
        man.node.style.transform = `translate(${x}px, ${y}px)`;
        man.node.dataset.square = square;
      }
    }

    light(squares, check) {
      this.layers[1].replaceChildren();
      const light = (square, className) => {
        const [x, y] = this.corner(square);
        drawn('rect', { x, y, width: 100, height: 100, class: className }, this.layers[1]);
      };
      squares.forEach((square) => light(square, 'trail'));
      if (check) light(check, 'check');
    }

    arrow(from, to) {
      this.layers[4].replaceChildren();
      if (!from) return;
      const [[x, y], [tipX, tipY]] = [from, to].map((square) => this.corner(square).map((part) => part + 50));
      const length = Math.hypot(tipX - x, tipY - y);
      const [alongX, alongY] = [(tipX - x) / length, (tipY - y) / length];
      const point = (along, aside) => `${x + along * alongX - aside * alongY},${y + along * alongY + aside * alongX}`;
      const points = [[18, 8], [length - 40, 8], [length - 40, 24], [length, 0], [length - 40, -24], [length - 40, -8], [18, -8]];
      drawn('polygon', { class: 'arrow', points: points.map((pair) => point(...pair)).join(' ') }, this.layers[4]);
    }
  }

  class View {
    constructor(article, scenes) {
      this.article = article;
      this.scenes = scenes;
      this.at = 0;
      this.board = new Board(article.querySelector('.board'));
      this.buttons = [...article.querySelectorAll('[data-ply]')];
      this.graphs = [...article.querySelectorAll('.graph')];
      this.buttons.forEach((button) => button.addEventListener('click', () => this.go(Number(button.dataset.ply))));
      article.querySelectorAll('[data-go]').forEach((button) => {
        button.addEventListener('click', () => this.command(button.dataset.go));
      });
      this.graphs.forEach((graph) => this.listen(graph));
      this.go(0);
    }

    one(selector) {
      return this.article.querySelector(selector);
    }

    listen(graph) {
      const follow = (event) => {
        const box = graph.getBoundingClientRect();
        this.go(Math.round((event.clientX - box.left) / box.width * (this.scenes.length - 1)));
      };
      graph.addEventListener('pointerdown', (event) => {
        graph.setPointerCapture(event.pointerId);
        follow(event);
      });
      graph.addEventListener('pointermove', (event) => {
        if (event.buttons & 1) follow(event);
      });
    }

    command(name) {
      const last = this.scenes.length - 1;
      const bad = (step) => {
        let at = this.at + step;
        while (at > 0 && at < last && !this.scenes[at].mark) at += step;
        return this.scenes[at] && this.scenes[at].mark ? at : this.at;
      };
      switch (name) {
        case 'first': return this.go(0);
        case 'back': return this.go(this.at - 1);
        case 'on': return this.go(this.at + 1);
        case 'last': return this.go(last);
        case 'bad': return this.go(bad(1));
        case 'worse': return this.go(bad(-1));
        default:
          this.board.turn();
          return this.go(this.at);
      }
    }

    go(index) {
      this.at = Math.min(Math.max(index, 0), this.scenes.length - 1);
      const scene = this.scenes[this.at];
      const best = scene.lines[0] && scene.lines[0].steps[0];
      this.show(scene.board, scene.step, scene.check);
      this.board.arrow(best && best.from, best && best.to);
      this.describe(scene);
      this.list(scene);
      this.mark();
    }

    show(board, step, check) {
      this.board.place(board);
      this.board.light(step ? [step.from, step.to] : [], check);
      this.board.svg.setAttribute('aria-label', spoken(board));
    }

    describe(scene) {
      const [win, draw, loss] = scene.chances;
      const status = this.one('.status');
      const move = scene.step ? `${scene.step.label} ${scene.step.san}` : 'Start';
      const rest = [];
      if (scene.mark) rest.push(made('span', ` ${scene.mark}`, scene.mark));
      if (scene.better) rest.push(`, better was ${scene.better}`);
      if (scene.over) rest.push(`, ${scene.over}`);
      const percent = (part) => `${(part / 10).toFixed(0)} %`;
      const chances = `White wins ${percent(win)}, draw ${percent(draw)}, Black wins ${percent(loss)}`;
      status.replaceChildren(made('b', move), ...rest, document.createElement('br'), `${scene.value} · ${chances}`);
      this.one('.note').textContent = scene.note;
      const bar = this.one('.bar');
      bar.classList.toggle('turned', this.board.turned);
      bar.firstElementChild.style.height = `${(win + draw / 2) / 10}%`;
    }

    // The engine's lines; a click on a move of theirs shows where it leads.
    list(scene) {
      const rows = scene.lines.map((line) => {
        const row = document.createElement('li');
        row.append(made('strong', line.value));
        line.steps.forEach((step, index) => {
          const numbered = index === 0 || !step.label.endsWith('...');
          const button = made('button', numbered ? `${step.label} ${step.san}` : step.san);
          button.type = 'button';
          button.addEventListener('click', () => {
            this.article.querySelectorAll('.lines [aria-current]').forEach((old) => old.removeAttribute('aria-current'));
            button.setAttribute('aria-current', 'true');
            this.show(step.board, step, null);
            this.board.arrow();
          });
          row.append(button);
        });
        return row;
      });
      this.one('.lines').replaceChildren(...rows);
    }

    // The place in the list of moves and in the graphs.
    mark() {
      const { at } = this;
      const list = this.one('.moves');
      this.buttons.forEach((button) => button.removeAttribute('aria-current'));
      const button = this.buttons[at - 1];
      if (button) {
        button.setAttribute('aria-current', 'true');
        const top = button.closest('tr').offsetTop;
        const height = button.offsetHeight;
        if (top < list.scrollTop) list.scrollTop = top;
        else if (top + height > list.scrollTop + list.clientHeight) list.scrollTop = top + height - list.clientHeight;
      } else {
        list.scrollTop = 0;
      }
      const scene = this.scenes[at];
      const text = scene.step ? `${scene.step.label} ${scene.step.san}: ${scene.value}` : `Start: ${scene.value}`;
      this.graphs.forEach((graph) => {
        graph.setAttribute('aria-valuenow', at);
        graph.setAttribute('aria-valuetext', text);
        graph.querySelector('.cursor').style.left = `${100 * at / Math.max(this.scenes.length - 1, 1)}%`;
      });
    }
  }

  const articles = [...document.querySelectorAll('article')];
  const views = new Map();
  let current;
  const choose = (index) => {
    articles.forEach((article, other) => { article.hidden = other !== index; });
    if (!views.has(index)) views.set(index, new View(articles[index], games[index]));
    current = views.get(index);
  };
  const choice = document.getElementById('choice');
  if (choice) choice.addEventListener('change', () => choose(Number(choice.value)));
  choose(0);

  const KEYS = {
    ArrowLeft: 'back', ArrowRight: 'on', ArrowUp: 'worse', ArrowDown: 'bad', Home: 'first', End: 'last', f: 'turn', F: 'turn',
  };
  document.addEventListener('keydown', (event) => {
    const command = KEYS[event.key];
    if (!command || event.ctrlKey || event.metaKey || event.altKey || event.target.closest('select')) return;
    event.preventDefault();
    current.command(command);
  });
})();
