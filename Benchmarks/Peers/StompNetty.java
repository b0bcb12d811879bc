import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.stomp.StompFrame;
import io.netty.handler.codec.stomp.StompSubframeAggregator;
import io.netty.handler.codec.stomp.StompSubframeDecoder;
import io.netty.handler.codec.stomp.StompSubframeEncoder;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/** Netty's STOMP codec: one task per line of standard input, answered by its nanoseconds. */
public final class StompNetty {
    private static final int CHUNK = 1460;
    private static byte[] corpus;
    private static List<StompFrame> frames;

    public static void main(String[] arguments) throws Exception {
        corpus = Files.readAllBytes(Paths.get(arguments[0]));
        frames = decode(corpus.length);
        System.out.println("ready");
        BufferedReader tasks = new BufferedReader(new InputStreamReader(System.in));
        for (String task; (task = tasks.readLine()) != null; ) {
            long start = System.nanoTime();
            int done;
            switch (task) {
                case "decode": done = release(decode(corpus.length)); break;
                case "chunks": done = release(decode(CHUNK)); break;
                case "encode": done = encode(); break;
                default: throw new IllegalArgumentException(task);
            }
            long time = System.nanoTime() - start;
            if (done != frames.size()) {
                throw new IllegalStateException(done + " frames of " + frames.size());
            }
            System.out.println(time);
        }
    }

    private static List<StompFrame> decode(int chunk) {
        EmbeddedChannel channel = new EmbeddedChannel(
            new StompSubframeDecoder(), new StompSubframeAggregator(1 << 20));
        List<StompFrame> decoded = new ArrayList<>(20000);
        for (int start = 0; start < corpus.length; start += chunk) {
            int length = Math.min(chunk, corpus.length - start);
            channel.writeInbound(Unpooled.wrappedBuffer(corpus, start, length));
            for (StompFrame frame; (frame = channel.readInbound()) != null; ) {
                decoded.add(frame);
            }
        }
        channel.finishAndReleaseAll();
        return decoded;
    }

    private static int release(List<StompFrame> decoded) {
        for (StompFrame frame : decoded) {
            frame.release();
        }
        return decoded.size();
    }

    private static int encode() {
        EmbeddedChannel channel = new EmbeddedChannel(new StompSubframeEncoder());
        int done = 0;
        for (StompFrame frame : frames) {
            channel.writeOutbound(frame.retainedDuplicate());
            boolean wrote = false;
            for (ByteBuf part; (part = channel.readOutbound()) != null; ) {
                wrote = true;
                part.release();
            }
            if (wrote) {
                done += 1;
            }
        }
        channel.finishAndReleaseAll();
        return done;
    }
}
