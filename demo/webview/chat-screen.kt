// Not compiled here. androidx.webkit 1.12, androidx.activity 1.9, lifecycle-runtime-ktx. Put webview.html and webview.js
// of dist/cdn into src/main/assets, the internet permission into the manifest, and this origin among the agent's
// allowed_origins: https://appassets.androidplatform.net
package example.app

import android.content.Intent
import android.net.Uri
import android.os.Bundle
import android.util.Log
import android.view.HapticFeedbackConstants
import android.webkit.RenderProcessGoneDetail
import android.webkit.WebResourceRequest
import android.webkit.WebView
import androidx.activity.ComponentActivity
import androidx.activity.addCallback
import androidx.activity.enableEdgeToEdge
import androidx.core.view.ViewCompat
import androidx.core.view.WindowInsetsCompat
import androidx.lifecycle.lifecycleScope
import androidx.webkit.JavaScriptReplyProxy
import androidx.webkit.WebViewAssetLoader
import androidx.webkit.WebViewClientCompat
import androidx.webkit.WebViewCompat
import java.net.URL
import java.util.Locale
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.isActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import org.json.JSONArray
import org.json.JSONObject

private const val ORIGIN = "https://appassets.androidplatform.net"

class ChatActivity : ComponentActivity() {
  private lateinit var webView: WebView
  private var page: JavaScriptReplyProxy? = null
  private val runs = mutableMapOf<String, Job>()

  // No "storage" here: the assets have an https origin, so the page's own IndexedDB lasts, in the app's private folder.
  private fun configuration() = JSONObject()
    .put("baseUrl", "https://api.example/api/v2")
    .put("publishableKey", "svc_pk_…")
    .put("agentId", "agt_…")
    .put("locale", Locale.getDefault().toLanguageTag())
    .put("tools", JSONArray().put(JSONObject().put("name", "get_order_status").put("confirm", true)))

  override fun onCreate(savedInstanceState: Bundle?) {
    super.onCreate(savedInstanceState)
    enableEdgeToEdge()
    webView = WebView(this)
    setContentView(webView)
    webView.settings.javaScriptEnabled = true
    webView.settings.domStorageEnabled = true

    val assets = WebViewAssetLoader.Builder()
      .addPathHandler("/assets/", WebViewAssetLoader.AssetsPathHandler(this))
      .build()
    webView.webViewClient = object : WebViewClientCompat() {
      override fun shouldInterceptRequest(view: WebView, request: WebResourceRequest) =
        assets.shouldInterceptRequest(request.url)

      // In the background Android may take the page's process away. The conversation is kept.
      override fun onRenderProcessGone(view: WebView, detail: RenderProcessGoneDetail): Boolean {
        recreate()
        return true
      }
    }
    // WebViewFeature.isFeatureSupported tells whether a very old WebView has these two; then answer "ready" with
    // "configure" instead of the script, and take an interface of your own instead of the listener.
    WebViewCompat.addWebMessageListener(webView, "workspaceChatNative", setOf(ORIGIN)) { _, message, _, isMainFrame, reply ->
      if (isMainFrame) {
        page = reply
        hear(JSONObject(message.data ?: return@addWebMessageListener))
      }
    }
    val script = "window.workspaceChatConfig = ${configuration()}"
    WebViewCompat.addDocumentStartJavaScript(webView, script, setOf(ORIGIN))

    // Taken here and nowhere else, so that no bar and no keyboard counts twice.
    ViewCompat.setOnApplyWindowInsetsListener(webView) { _, insets ->
      sayInsets(insets)
      WindowInsetsCompat.CONSUMED
    }
    onBackPressedDispatcher.addCallback(this) { if (page == null) finish() else say("back") }
    webView.loadUrl("$ORIGIN/assets/webview.html") // Or of a server of yours; its origin is ORIGIN then.
  }

  override fun onDestroy() {
    webView.destroy()
    super.onDestroy()
  }

  private fun hear(message: JSONObject) {
    when (message.getString("type")) {
      "ready" -> {
        ViewCompat.getRootWindowInsets(webView)?.let(::sayInsets)
        identify()
      }
      "open-link" -> runCatching { startActivity(Intent(Intent.ACTION_VIEW, Uri.parse(message.getString("url")))) }
      "haptic" -> webView.performHapticFeedback(HapticFeedbackConstants.KEYBOARD_TAP)
      "tool" -> run(message)
      "error" -> Log.w("Chat", message.toString())
      "close" -> finish()
    }
  }

  /** In CSS pixels, the keyboard among them. */
  private fun sayInsets(insets: WindowInsetsCompat) {
    val types = WindowInsetsCompat.Type.systemBars() or WindowInsetsCompat.Type.displayCutout() or
      WindowInsetsCompat.Type.ime()
    val edges = insets.getInsets(types)
    fun css(pixels: Int) = (pixels / resources.displayMetrics.density).toDouble()
    say("insets") {
      put("top", css(edges.top)).put("right", css(edges.right)).put("bottom", css(edges.bottom)).put("left", css(edges.left))
    }
  }

  /** Your own server makes the proof of who is signed in: {"token": "…"}. */
  private fun identify() = lifecycleScope.launch {
    val contact = withContext(Dispatchers.IO) {
      runCatching { JSONObject(URL("https://shop.example/chat-token").readText()) }.getOrNull()
    }
    if (contact?.has("token") == true) say("identify") { put("contact", contact) }
  }

  private fun run(call: JSONObject) {
    val callId = call.getString("callId")
    if (call.getString("phase") == "abort") {
      runs.remove(callId)?.cancel()
      return
    }
    runs[callId] = lifecycleScope.launch {
      val result = runCatching { orderStatus(call.getJSONObject("arguments").optString("order_number")) }
      runs.remove(callId)
      if (isActive) say("toolResult") {
        put("callId", callId).put("ok", result.isSuccess)
        result.onSuccess { put("result", it) }.onFailure { put("error", it.message ?: "") }
      }
    }
  }

  private fun say(type: String, fields: JSONObject.() -> Unit = {}) {
    page?.postMessage(JSONObject().put("v", 1).put("type", type).apply(fields).toString())
  }

  /** Your app's own code; what this customer may see, your server decides. */
  private suspend fun orderStatus(number: String) = JSONObject().put("order_number", number).put("status", "shipped")
}
