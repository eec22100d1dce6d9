// Not compiled here. iOS 17.5 or later. Add webview.html and webview.js of dist/cdn to the app's target.
import CryptoKit
import SafariServices
import WebKit

final class ChatViewController: UIViewController, WKScriptMessageHandler, WKNavigationDelegate, UIGestureRecognizerDelegate {
  private let configuration: [String: Any] = [
    "baseUrl": "https://api.example/api/v2",
    "publishableKey": "svc_pk_…",
    "agentId": "agt_…",
    "locale": Locale.preferredLanguages.first ?? "en",
    "storage": "native",
    "tools": [["name": "get_order_status", "confirm": true] as [String: Any]],
  ]
  private var webView: WKWebView!
  private var runs: [String: Task<Void, Never>] = [:]
  private var isReady = false
  private weak var formerDelegate: UIGestureRecognizerDelegate?
  // Store the conversation in the caches folder: it expires after 24 hours, and backups exclude this folder.
  private let folder = URL.cachesDirectory.appending(path: "workspace-chat")

  override func viewDidLoad() {
    super.viewDidLoad()
    let content = WKUserContentController()
    // The content controller retains its handler, so it gets one that does not retain this screen.
    content.add(WeakHandler(self), name: "workspaceChat")
    let source = "window.workspaceChatConfig = \(text(configuration))"
    content.addUserScript(WKUserScript(source: source, injectionTime: .atDocumentStart, forMainFrameOnly: true))
    let settings = WKWebViewConfiguration()
    settings.userContentController = content
    webView = WKWebView(frame: view.bounds, configuration: settings)
    webView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    webView.navigationDelegate = self
    // The page fills the screen and handles the safe areas itself.
    webView.scrollView.contentInsetAdjustmentBehavior = .never
    view.addSubview(webView)
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // To load the page from a server: webView.load(URLRequest(url: URL(string: "https://app.example/webview.html")!))
    let page = Bundle.main.url(forResource: "webview", withExtension: "html")!
    webView.loadFileURL(page, allowingReadAccessTo: page.deletingLastPathComponent())
    // No white flash before the page is rendered.
    webView.isOpaque = false
    webView.backgroundColor = .systemBackground
    let back = UIBarButtonItem(
      image: UIImage(systemName: "chevron.backward"), primaryAction: UIAction { [weak self] _ in self?.goBack() })
    back.accessibilityLabel = NSLocalizedString("Back", comment: "Closes the chat")
    navigationItem.leftBarButtonItem = back
  }

  // A custom back button disables the swipe from the edge, unless the gesture has a delegate.
  // The other screens need the former one.
  override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    guard let gesture = navigationController?.interactivePopGestureRecognizer, gesture.delegate !== self else { return }
    formerDelegate = gesture.delegate
    gesture.delegate = self
  }

  override func viewWillDisappear(_ animated: Bool) {
    super.viewWillDisappear(animated)
    guard let gesture = navigationController?.interactivePopGestureRecognizer, gesture.delegate === self else { return }
    gesture.delegate = formerDelegate
  }

  func gestureRecognizerShouldBegin(_ gesture: UIGestureRecognizer) -> Bool {
    (navigationController?.viewControllers.count ?? 0) > 1
  }

  // The page closes its menu first, and then asks to be closed. Without a page, leave at once.
  private func goBack() {
    if isReady { say("back") } else { leave() }
  }

  private func leave() { navigationController?.popViewController(animated: true) }

  // A link never replaces the page: it arrives as "open-link". For a page from a server, compare the whole URL.
  func webView(_ webView: WKWebView, decidePolicyFor action: WKNavigationAction) async -> WKNavigationActionPolicy {
    guard let url = action.request.url, url.isFileURL else { return .cancel }
    return url.lastPathComponent == "webview.html" ? .allow : .cancel
  }

  // The page knows the safe areas of the phone. These insets also contain the bars of the app, such as a navigation bar.
  override func viewSafeAreaInsetsDidChange() {
    super.viewSafeAreaInsetsDidChange()
    sayInsets()
  }

  private func sayInsets() {
    let edges = view.safeAreaInsets
    say("insets", ["top": edges.top, "right": edges.right, "bottom": edges.bottom, "left": edges.left])
  }

  // iOS can end the page's process in the background. The conversation is restored after the reload.
  func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {
    isReady = false
    webView.reload()
  }

  func userContentController(_ controller: WKUserContentController, didReceive message: WKScriptMessage) {
    guard message.frameInfo.isMainFrame, let json = message.body as? String,
      let fields = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    else { return }
    switch fields["type"] as? String {
    case "ready":
      isReady = true
      sayInsets()
      Task { await identify() }
    case "open-link":
      guard let url = URL(string: fields["url"] as? String ?? "") else { return }
      if url.scheme == "https" { present(SFSafariViewController(url: url), animated: true) }
      else { UIApplication.shared.open(url) }
    case "unread": navigationController?.tabBarItem.badgeValue = (fields["count"] as? Int).flatMap { $0 == 0 ? nil : "\($0)" }
    case "haptic":
      if fields["kind"] as? String == "light" { UIImpactFeedbackGenerator(style: .light).impactOccurred() }
      else { UINotificationFeedbackGenerator().notificationOccurred(fields["kind"] as? String == "error" ? .error : .success) }
    case "storage": keep(fields)
    case "tool": run(fields)
    case "error": print("Chat: \(fields)")
    case "close": leave()
    default: break
    }
  }

  /// Fetches a proof of identity from your own server, which returns {} if no customer is signed in.
  private func identify() async {
    let url = URL(string: "https://shop.example/chat-token")!
    guard let (data, _) = try? await URLSession.shared.data(from: url),
      let contact = try? JSONSerialization.jsonObject(with: data) as? [String: String], contact["token"] != nil
    else { return }
    say("identify", ["contact": contact])
  }

  private func keep(_ request: [String: Any]) {
    guard let id = request["id"] as? String, let key = request["key"] as? String else { return }
    let name = SHA256.hash(data: Data(key.utf8)).map { String(format: "%02x", $0) }.joined()
    let file = folder.appending(path: name)
    var reply: [String: Any] = ["id": id]
    do {
      if let value = request["value"] as? String {
        try Data(value.utf8).write(to: file, options: [.atomic, .completeFileProtectionUntilFirstUserAuthentication])
      } else if !FileManager.default.fileExists(atPath: file.path) {
        reply["value"] = NSNull()
      } else if request["operation"] as? String == "load" {
        reply["value"] = try String(contentsOf: file, encoding: .utf8)
      } else {
        try FileManager.default.removeItem(at: file)
      }
    } catch { reply["error"] = error.localizedDescription }
    say("storage", reply)
  }

  private func run(_ call: [String: Any]) {
    guard let callId = call["callId"] as? String else { return }
    if call["phase"] as? String == "abort" {
      runs.removeValue(forKey: callId)?.cancel()
      return
    }
    let number = (call["arguments"] as? [String: Any])?["order_number"] as? String ?? ""
    runs[callId] = Task {
      do { say("toolResult", ["callId": callId, "ok": true, "result": try await Orders.status(of: number)]) }
      catch { say("toolResult", ["callId": callId, "ok": false, "error": "\(error)"]) }
      runs.removeValue(forKey: callId)
    }
  }

  private func say(_ type: String, _ fields: [String: Any] = [:]) {
    let message = fields.merging(["v": 1, "type": type]) { _, new in new }
    webView?.callAsyncJavaScript(
      "window.workspaceChat?.receive(json)", arguments: ["json": text(message)], in: nil, in: .page)
  }

  private func text(_ value: [String: Any]) -> String {
    String(decoding: try! JSONSerialization.data(withJSONObject: value), as: UTF8.self)
  }
}

/// Passes messages on without retaining their handler.
private final class WeakHandler: NSObject, WKScriptMessageHandler {
  private weak var handler: WKScriptMessageHandler?

  init(_ handler: WKScriptMessageHandler) { self.handler = handler }

  func userContentController(_ controller: WKUserContentController, didReceive message: WKScriptMessage) {
    handler?.userContentController(controller, didReceive: message)
  }
}

/// Replace this with your app's own code. Your server decides which data this customer may see.
enum Orders {
  static func status(of number: String) async throws -> [String: Any] { ["order_number": number, "status": "shipped"] }
}
