import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import { Builder, By, Capabilities, type WebDriver, type WebElement } from 'selenium-webdriver';
import { eventually } from '@po/testing/eventually';
import { childEnvironment } from '../../deploy/local/config.js';
import { HOST, reservePorts } from '../../deploy/local/processes/ports.js';
import { WEBKIT_TOOLS } from '#local/tools/tools.js';
import { RULES, seriousViolations } from '../portal/accessibility.js';
import { npmFonts } from '../portal/browser/npm-browser.js';
import { unpackedBrowser } from '../portal/browser/unpacked.js';
import { keepScreenshot } from '../portal/screenshots.js';
import { portalUrl } from '../portal/visitors.js';
import type { DemoUser } from '../support/stack.js';

const require = createRequire(import.meta.url);
const QUERIES = require.resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js');

/** $1 is the port. */
const DRIVE = `
Xvfb -displayfd 1 -screen 0 1440x1000x24 -nolisten tcp | {
  read -r display
  DISPLAY=":$display" exec WebKitWebDriver --port="$1"
}`;
/** WebKit starts its processes by absolute path, so WebKit alone sees its packages mounted over /usr. $0 is their folder. */
const DRIVE_UNPACKED = `mount -t overlay overlay -o "lowerdir=$0/usr:/usr" /usr${DRIVE}`;

/** Debian's WebKitGTK, the engine of Safari, driven by WebDriver (W3C). Playwright cannot drive it, because it lacks WebDriver BiDi. */
export class WebKit {
  private constructor(
    private readonly process: ChildProcess,
    /** Also the folder of downloaded files. */
    readonly home: string,
    private readonly url: string,
  ) {}

  /** Starts the machine's WebKit, or an unpacked one that is not installed. Rejects with the reason if neither is available. */
  static async start(): Promise<WebKit> {
    const drive = existsSync('/usr/bin/WebKitWebDriver')
      ? ['sh', '-ec', DRIVE, 'sh']
      : await unpackedBrowser('WebKit', WEBKIT_TOOLS).then((bin) => {
          const packages = join(bin, '../lib/webkit');
          return ['unshare', '--mount', '--map-root-user', 'sh', '-ec', DRIVE_UNPACKED, packages];
        });
    const home = await mkdtemp(join(tmpdir(), 'po-webkit-'));
    await mkdir(join(home, '.config/gtk-3.0'), { recursive: true });
    await writeFile(join(home, '.config/gtk-3.0/settings.ini'), '[Settings]\ngtk-enable-animations=0\n');
    const { driver: port } = await reservePorts(home, ['driver']);
    const child = spawn('env', [...drive, String(port)], {
      env: childEnvironment({ HOME: home, LANG: 'C.UTF-8', TZ: 'UTC', FONTCONFIG_FILE: (await npmFonts()).file }),
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const errorOutput: string[] = [];
    child.stderr.on('data', (text: Buffer) => errorOutput.push(String(text)));
    const webkit = new WebKit(child, home, `http://${HOST}:${port}`);
    const answers = async () => (await fetch(`${webkit.url}/status`)).ok;
    const giveUp = () =>
      child.exitCode === null ? undefined : new Error(`WebKit did not start: ${errorOutput.join('')}`);
    try {
      await eventually('WebKit answers', answers, { giveUp });
    } catch (error) {
      await webkit.stop();
      throw error;
    }
    return webkit;
  }

  /** Opens a browser without cookies or storage. */
  async open(): Promise<Visit> {
    const capabilities = new Capabilities({ browserName: 'MiniBrowser' });
    const driver = await new Builder().usingServer(this.url).withCapabilities(capabilities).build();
    await driver.manage().window().setRect({ x: 0, y: 0, width: 1440, height: 900 });
    return new Visit(driver);
  }

  async stop(): Promise<void> {
    const { pid, exitCode } = this.process;
    if (pid !== undefined && exitCode === null) {
      const ended = once(this.process, 'exit');
      process.kill(-pid, 'SIGKILL');
      await ended;
    }
    await rm(this.home, { recursive: true, force: true });
  }
}

/** Actions of a user in the browser. Each waits for its element. */
export class Visit {
  constructor(readonly driver: WebDriver) {}

  async signIn(user: DemoUser): Promise<void> {
    await this.driver.get(portalUrl('/'));
    await this.click(`a[href$="login_hint=${encodeURIComponent(user)}"]`);
    await this.find('#content h1');
  }

  /** First element that matches a selector. */
  find(selector: string): Promise<WebElement> {
    const look = async () => (await this.driver.findElements(By.css(selector)))[0];
    return eventually(`there is ${selector}`, look);
  }

  /** Element with this accessible role and name, or with this label. Searches only the dialog if one is open. */
  named(role: 'label' | 'button', name: string | RegExp): Promise<WebElement> {
    const [source, isPattern] = name instanceof RegExp ? [name.source, true] : [name, false];
    const look = async () => {
      if (!(await this.driver.executeScript('return "TestingLibraryDom" in window')))
        await this.driver.executeScript(await readFile(QUERIES, 'utf8'));
      return this.driver.executeScript<WebElement | undefined>(
        `const [role, source, isPattern] = arguments;
         const place = document.querySelector('[role=dialog]') ?? document.body;
         const name = isPattern ? new RegExp(source) : source;
         const { queryAllByLabelText, queryAllByRole } = TestingLibraryDom;
         return role === 'label' ? queryAllByLabelText(place, name)[0] : queryAllByRole(place, role, { name })[0];`,
        role,
        source,
        isPattern,
      );
    };
    return eventually(`there is a ${role} named ${String(name)}`, async () => (await look()) ?? undefined);
  }

  /** Clicks the first element that matches a selector. */
  click(selector: string): Promise<void> {
    return this.clickOn(selector, () => this.find(selector));
  }

  clickNamed(role: 'label' | 'button', name: string | RegExp): Promise<void> {
    return this.clickOn(String(name), () => this.named(role, name));
  }

  /** Retries until nothing covers the element. */
  private async clickOn(what: string, find: () => Promise<WebElement>): Promise<void> {
    const click = async () => {
      await (await find()).click();
      return true;
    };
    await eventually(`${what} can be clicked`, click);
  }

  /** Types into the focused element. */
  async type(text: string): Promise<void> {
    await this.driver.actions().sendKeys(text).perform();
  }

  /** Waits until an element that matches the selector contains this text. */
  async shows(selector: string, text: string): Promise<void> {
    const script = `
      const [selector, text] = arguments;
      return [...document.querySelectorAll(selector)].some(({ textContent }) => textContent.includes(text));`;
    const look = () => this.driver.executeScript<boolean>(script, selector, text);
    await eventually(`${selector} shows ${text}`, look);
  }

  async isGone(selector: string): Promise<void> {
    const look = async () => (await this.driver.findElements(By.css(selector))).length === 0;
    await eventually(`${selector} is gone`, look);
  }

  /** Serious accessibility violations of the current page, one line each. */
  async accessibilityViolations(): Promise<string[]> {
    await this.driver.executeScript(axe.source);
    const results = await this.driver.executeAsyncScript<Pick<axe.AxeResults, 'violations'>>(
      `const [tags, done] = arguments;
       axe.run({ runOnly: { type: 'tag', values: tags } }).then(({ violations }) => done({ violations }));`,
      RULES,
    );
    return seriousViolations(results.violations);
  }

  /** How much wider the page is than its window, in CSS pixels. */
  overflow(): Promise<number> {
    const { driver } = this;
    return driver.executeScript(
      'const { scrollWidth, clientWidth } = document.documentElement; return scrollWidth - clientWidth',
    );
  }

  screenshot(name: string): Promise<void> {
    return keepScreenshot(`webkit-${name}`, async () => Buffer.from(await this.driver.takeScreenshot(), 'base64'));
  }
}
